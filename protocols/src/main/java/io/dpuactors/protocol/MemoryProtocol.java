package io.dpuactors.protocol;

import io.dpuactors.bridge.BufferPool;
import io.dpuactors.bridge.Carried;
import io.dpuactors.bridge.DocaError;
import io.dpuactors.bridge.LeaseMark;
import io.dpuactors.bridge.LeaseScope;
import io.dpuactors.bridge.MemoryExport;
import io.dpuactors.bridge.Permission;
import io.dpuactors.bridge.RemoteMemory;
import io.dpuactors.bridge.TaskBuffers;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.Set;
import org.apache.pekko.actor.typed.ActorRef;
import org.jspecify.annotations.Nullable;

/**
 * Messages about registered memory to an {@code Engine}: pools, the buffers of contexts, the leases
 * of actors, and memory that processes share.
 */
public final class MemoryProtocol {
  private MemoryProtocol() {}

  /** A request about registered memory. */
  public sealed interface Command extends EngineProtocol.Command, Request {}

  /** A request for a pool. Answer: {@link PoolReply}. */
  public sealed interface PoolCommand extends Command {
    /** Returns the receiver of the answer. */
    ActorRef<PoolReply> replyTo();

    @Override
    default void refuse(DocaError error) {
      replyTo().tell(new PoolFailed(error));
    }
  }

  /** Allocates memory, registers it with a device and cuts it into equal buffers. */
  public record OpenPool(PoolOptions options, ActorRef<PoolReply> replyTo) implements PoolCommand {}

  /**
   * Registers memory of the program and cuts it into equal buffers. The memory stays the program's
   * property; the pool keeps it reachable until the pool is closed.
   *
   * @param device PCI address; empty: the device that the engine opened first
   * @param memory a direct buffer; the pool uses the bytes from position to limit
   * @param count number of buffers. Each begins at a multiple of its size, rounded up to 64 bytes,
   *     or to 4096 bytes for sizes of at least 4096
   * @param bufferBytes size of each buffer in bytes
   * @param permissions accesses that devices may make
   */
  public record RegisterMemory(
      Optional<String> device,
      ByteBuffer memory,
      int count,
      int bufferBytes,
      Set<Permission> permissions,
      ActorRef<PoolReply> replyTo)
      implements PoolCommand {
    /** Copies the set. */
    public RegisterMemory {
      permissions = Set.copyOf(permissions);
    }
  }

  /**
   * Imports memory of another process for copies. A lease must be aimed at the part to copy.
   *
   * @param device PCI address of the device whose contexts use the memory; empty: the device that
   *     the engine opened first
   * @param export the export that the memory's owner sent
   * @param leases maximum number of leases at a time
   * @param owner the engine closes the pool after the end of this actor and of all leases. Empty:
   *     the pool exists until {@link ClosePool} or the end of the engine
   */
  public record ImportMemory(
      Optional<String> device,
      MemoryExport export,
      int leases,
      Optional<ActorRef<?>> owner,
      ActorRef<PoolReply> replyTo)
      implements PoolCommand {}

  /**
   * Imports memory of an RDMA peer. A lease must be aimed at a part before a task of a connection
   * uses it.
   *
   * @param device PCI address; empty: the device of the context, while it exists
   * @param memory the descriptor that the owner of the memory sent
   * @param leases maximum number of leases at a time
   * @param context the RDMA context whose connections use the memory. The engine closes the pool
   *     after the end of the context and of all leases
   */
  public record ImportRemoteMemory(
      Optional<String> device,
      RemoteMemory memory,
      int leases,
      ActorRef<RdmaProtocol.Command> context,
      ActorRef<PoolReply> replyTo)
      implements PoolCommand {}

  /**
   * Leases all of a pool's memory several times over. Each lease is aimed at a part of the memory,
   * so that several holders can read the same part at the same time. The windows are a pool. Close
   * them before the pool whose memory they show: {@link ClosePool} of that pool fails with IN_USE.
   *
   * @param pool a pool of this engine, with memory of this process
   * @param leases the number of leases at the same time
   */
  public record OpenWindows(BufferPool pool, int leases, ActorRef<PoolReply> replyTo)
      implements PoolCommand {}

  /**
   * Exports a pool's memory to the other side of the PCI bus, until the pool is closed. Answer:
   * {@link ExportReply}.
   */
  public record ExportPool(BufferPool pool, ActorRef<ExportReply> replyTo) implements Command {
    @Override
    public void refuse(DocaError error) {
      replyTo.tell(new ExportFailed(error));
    }
  }

  /**
   * Shares a pool's memory with RDMA peers, until the pool is closed. The pool needs a permission
   * of RDMA. Answer: {@link ShareReply}.
   */
  public record SharePool(BufferPool pool, ActorRef<ShareReply> replyTo) implements Command {
    @Override
    public void refuse(DocaError error) {
      replyTo.tell(new ShareFailed(error));
    }
  }

  /** The answer to {@link SharePool}. */
  public sealed interface ShareReply extends LocalMessage {}

  /** The data that peers need to import the memory. */
  public record Shared(RemoteMemory memory) implements ShareReply {}

  /** The memory has no permission of RDMA, or the pool is closed. */
  public record ShareFailed(DocaError error) implements ShareReply {}

  /** The answer to {@link ExportPool}. */
  public sealed interface ExportReply extends LocalMessage {}

  /** The data that the other side needs to import the memory. */
  public record Exported(MemoryExport export) implements ExportReply {}

  /** The memory has no PCI permission, or the pool is closed. */
  public record ExportFailed(DocaError error) implements ExportReply {}

  /** The answer to {@link PoolCommand}. */
  public sealed interface PoolReply extends LocalMessage {}

  /**
   * The pool is ready. Any thread may lease buffers. The engine closes the pool when it stops. The
   * engine also closes a new pool if no actor receives this answer: the receiver has ended, or its
   * ask has timed out.
   *
   * @param offer closes the pool of an answer that no actor receives; null if the pool stays open
   */
  public record PoolOpened(BufferPool pool, @Nullable Carried offer)
      implements PoolReply, BufferReply {
    /** Creates an answer with a pool that stays open if no actor receives the answer. */
    public PoolOpened(BufferPool pool) {
      this(pool, null);
    }

    @Override
    public @Nullable Carried carried() {
      return offer;
    }
  }

  /** The device, the memory or the export is not available. */
  public record PoolFailed(DocaError error) implements PoolReply {}

  /**
   * Closes a pool before the engine stops. Every lease must have been returned; otherwise the pool
   * stays open, and the answer contains the failure.
   */
  public record ClosePool(BufferPool pool, ActorRef<PoolClosed> replyTo) implements Command {
    /** A pool that the engine closed when it stopped is closed: that is no failure. */
    @Override
    public void refuse(DocaError error) {
      replyTo.tell(new PoolClosed(pool.isClosed() ? Optional.empty() : Optional.of(error)));
    }
  }

  /**
   * The answer to {@link ClosePool} and {@link CloseBuffers}.
   *
   * @param failure empty if the memory is closed
   */
  public record PoolClosed(Optional<DocaError> failure) implements LocalMessage {}

  /**
   * Opens buffers for the tasks of a context, on the context's device. An engine group opens them
   * on each engine of the context. Answer: {@link BuffersReply}.
   *
   * @param context a running context of tasks of this engine or engine group
   */
  public record OpenBuffers(
      ActorRef<?> context, BufferOptions options, ActorRef<BuffersReply> replyTo)
      implements Command {
    @Override
    public void refuse(DocaError error) {
      replyTo.tell(new BuffersFailed(error));
    }
  }

  /** The answer to {@link OpenBuffers}. */
  public sealed interface BuffersReply extends LocalMessage {}

  /**
   * The buffers are ready. Any thread may lease pairs. The engine closes them when it stops, and if
   * no actor receives this answer.
   *
   * @param offer closes the buffers of an answer that no actor receives; null if they stay open
   */
  public record BuffersOpened(TaskBuffers buffers, @Nullable Carried offer)
      implements BuffersReply, BufferReply {
    @Override
    public @Nullable Carried carried() {
      return offer;
    }
  }

  /** The context or the memory is not available. */
  public record BuffersFailed(DocaError error) implements BuffersReply {}

  /**
   * Closes buffers before the engine stops. Every pair must have been returned; otherwise buffers
   * stay open, and the answer contains the failure.
   */
  public record CloseBuffers(TaskBuffers buffers, ActorRef<PoolClosed> replyTo) implements Command {
    /** Buffers that an engine closed when it stopped are closed: that is no failure. */
    @Override
    public void refuse(DocaError error) {
      boolean closed =
          buffers.parts().stream()
              .allMatch(part -> part.sources().isClosed() && part.destinations().isClosed());
      replyTo.tell(new PoolClosed(closed ? Optional.empty() : Optional.of(error)));
    }
  }

  /**
   * Leases buffers in the name of an actor. When the actor ends, the leases that it still holds
   * return to the pool as soon as no task of its requests is in flight.
   *
   * <p>An actor that restarts keeps its {@code ActorRef}. The restarted actor sends this message
   * again in its {@code setup}. The answer comes when the leases from before the restart have
   * returned, and has the same {@link LeaseScope}. Leases of requests that are in flight stay, and
   * the restarted actor receives their answers. An actor asks once after each start. Answer: {@link
   * LeaseReply}.
   *
   * @param owner the actor
   * @param pool a pool of this engine
   * @param before the leases that holders had when the message was made
   */
  public record OwnLeases(
      ActorRef<?> owner, BufferPool pool, LeaseMark before, ActorRef<LeaseReply> replyTo)
      implements Command {
    /** Creates the message. The owner calls this before it leases anything after its start. */
    public OwnLeases(ActorRef<?> owner, BufferPool pool, ActorRef<LeaseReply> replyTo) {
      this(owner, pool, pool.mark(), replyTo);
    }

    @Override
    public void refuse(DocaError error) {
      replyTo.tell(new LeasesRefused(error));
    }
  }

  /** The answer to {@link OwnLeases}. */
  public sealed interface LeaseReply extends LocalMessage {}

  /**
   * The owner takes its leases from this scope. An actor that takes a lease over adopts the lease
   * in its own scope.
   *
   * @param before the mark of the answered command
   */
  public record LeasesOwned(LeaseScope leases, LeaseMark before) implements LeaseReply {
    /**
     * Returns whether this is the answer to a command. An actor that restarts before the answer
     * receives that answer after its restart, and later the answer to its own command.
     */
    public boolean isAnswerTo(OwnLeases command) {
      return before == command.before;
    }
  }

  /** The pool is closed or belongs to another engine, or the engine is stopping. */
  public record LeasesRefused(DocaError error) implements LeaseReply {}
}

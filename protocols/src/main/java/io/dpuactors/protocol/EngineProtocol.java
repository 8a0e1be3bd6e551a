package io.dpuactors.protocol;

import io.dpuactors.bridge.BufferPool;
import io.dpuactors.bridge.Carried;
import io.dpuactors.bridge.Census;
import io.dpuactors.bridge.DocaError;
import io.dpuactors.bridge.LeaseMark;
import io.dpuactors.bridge.LeaseScope;
import io.dpuactors.bridge.MemoryExport;
import io.dpuactors.bridge.Permission;
import io.dpuactors.bridge.RemoteMemory;
import io.dpuactors.bridge.TaskBuffers;
import io.dpuactors.bridge.TaskLibrary;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.pekko.actor.typed.ActorRef;
import org.jspecify.annotations.Nullable;

/** Messages to an {@code Engine}, from actors of the same process: see {@link LocalMessage}. */
public final class EngineProtocol {
  private EngineProtocol() {}

  /** A message to the engine. */
  public sealed interface Command extends LocalMessage
      permits Open, MemoryCommand, GetStatus, Stop {}

  /**
   * Opens a context as a supervised child of the engine. The engine answers once: when the context
   * runs, when its start fails, or at the engine's open-deadline.
   *
   * @param <C> the messages of the context
   */
  public sealed interface Open<C> extends Command, OpenRequest<C>
      permits OpenTasks, OpenSyncEvent, OpenComchServer, OpenComchClient, OpenRdma {}

  /**
   * Opens a context of tasks.
   *
   * @param <C> the messages of the context
   */
  public non-sealed interface OpenTasks<C> extends Open<C> {
    /** Returns the library of the tasks. */
    TaskLibrary library();

    /** Returns the options of the context. */
    TaskOptions options();
  }

  /**
   * Opens a context of any library, for programs that handle all libraries alike. A program that
   * knows its library uses a message with typed answers, such as {@link OpenCompress}.
   */
  public record OpenLibrary(
      TaskLibrary library,
      String name,
      TaskOptions options,
      ActorRef<ContextReply<LocalMessage>> replyTo)
      implements OpenTasks<LocalMessage> {
    @Override
    public void opened(ActorRef<LocalMessage> context) {
      replyTo.tell(new TaskProtocol.Opened(name, context));
    }

    @Override
    public void refuse(DocaError error) {
      replyTo.tell(new TaskProtocol.OpenFailed(name, error));
    }
  }

  /** Opens a compress context. */
  public record OpenCompress(
      String name, TaskOptions options, ActorRef<CompressProtocol.OpenReply> replyTo)
      implements OpenTasks<CompressProtocol.Command> {
    @Override
    public TaskLibrary library() {
      return TaskLibrary.COMPRESS;
    }

    @Override
    public void opened(ActorRef<CompressProtocol.Command> context) {
      replyTo.tell(new CompressProtocol.Opened(name, context));
    }

    @Override
    public void refuse(DocaError error) {
      replyTo.tell(new CompressProtocol.OpenFailed(name, error));
    }
  }

  /** Opens a DMA context. */
  public record OpenDma(String name, TaskOptions options, ActorRef<DmaProtocol.OpenReply> replyTo)
      implements OpenTasks<DmaProtocol.Command> {
    @Override
    public TaskLibrary library() {
      return TaskLibrary.DMA;
    }

    @Override
    public void opened(ActorRef<DmaProtocol.Command> context) {
      replyTo.tell(new DmaProtocol.Opened(name, context));
    }

    @Override
    public void refuse(DocaError error) {
      replyTo.tell(new DmaProtocol.OpenFailed(name, error));
    }
  }

  /** Opens a SHA context. */
  public record OpenSha(String name, TaskOptions options, ActorRef<ShaProtocol.OpenReply> replyTo)
      implements OpenTasks<ShaProtocol.Command> {
    @Override
    public TaskLibrary library() {
      return TaskLibrary.SHA;
    }

    @Override
    public void opened(ActorRef<ShaProtocol.Command> context) {
      replyTo.tell(new ShaProtocol.Opened(name, context));
    }

    @Override
    public void refuse(DocaError error) {
      replyTo.tell(new ShaProtocol.OpenFailed(name, error));
    }
  }

  /** Opens an AES-GCM context. */
  public record OpenAesGcm(
      String name, TaskOptions options, ActorRef<AesGcmProtocol.OpenReply> replyTo)
      implements OpenTasks<AesGcmProtocol.Command> {
    @Override
    public TaskLibrary library() {
      return TaskLibrary.AES_GCM;
    }

    @Override
    public void opened(ActorRef<AesGcmProtocol.Command> context) {
      replyTo.tell(new AesGcmProtocol.Opened(name, context));
    }

    @Override
    public void refuse(DocaError error) {
      replyTo.tell(new AesGcmProtocol.OpenFailed(name, error));
    }
  }

  /** Opens an erasure coding context. */
  public record OpenErasureCoding(
      String name, TaskOptions options, ActorRef<ErasureCodingProtocol.OpenReply> replyTo)
      implements OpenTasks<ErasureCodingProtocol.Command> {
    @Override
    public TaskLibrary library() {
      return TaskLibrary.ERASURE_CODING;
    }

    @Override
    public void opened(ActorRef<ErasureCodingProtocol.Command> context) {
      replyTo.tell(new ErasureCodingProtocol.Opened(name, context));
    }

    @Override
    public void refuse(DocaError error) {
      replyTo.tell(new ErasureCodingProtocol.OpenFailed(name, error));
    }
  }

  /** Opens a sync event. */
  public record OpenSyncEvent(
      String name, SyncEventOptions options, ActorRef<SyncEventProtocol.OpenReply> replyTo)
      implements Open<SyncEventProtocol.Command> {
    @Override
    public void opened(ActorRef<SyncEventProtocol.Command> context) {
      replyTo.tell(new SyncEventProtocol.Opened(name, context));
    }

    @Override
    public void refuse(DocaError error) {
      replyTo.tell(new SyncEventProtocol.OpenFailed(name, error));
    }
  }

  /** Opens a comch server. A running server accepts clients. */
  public record OpenComchServer(
      String name, ServerOptions options, ActorRef<ServerProtocol.OpenReply> replyTo)
      implements Open<ServerProtocol.Command> {
    @Override
    public void opened(ActorRef<ServerProtocol.Command> context) {
      replyTo.tell(new ServerProtocol.Opened(name, context));
    }

    @Override
    public void refuse(DocaError error) {
      replyTo.tell(new ServerProtocol.OpenFailed(name, error));
    }
  }

  /** Opens a comch client. A client runs once it is connected. */
  public record OpenComchClient(
      String name, ClientOptions options, ActorRef<ConnectionProtocol.OpenReply> replyTo)
      implements Open<ConnectionProtocol.Command> {
    @Override
    public void opened(ActorRef<ConnectionProtocol.Command> context) {
      replyTo.tell(new ConnectionProtocol.Opened(name, context));
    }

    @Override
    public void refuse(DocaError error) {
      replyTo.tell(new ConnectionProtocol.OpenFailed(name, error));
    }

    @Override
    public void opening(ActorRef<ConnectionProtocol.Command> context, DocaError error) {
      replyTo.tell(new ConnectionProtocol.Opening(name, context, error));
    }

    @Override
    public boolean keepsStarting() {
      return options.restarts();
    }
  }

  /** Opens an RDMA context. */
  public record OpenRdma(String name, RdmaOptions options, ActorRef<RdmaProtocol.OpenReply> replyTo)
      implements Open<RdmaProtocol.Command> {
    @Override
    public void opened(ActorRef<RdmaProtocol.Command> context) {
      replyTo.tell(new RdmaProtocol.Opened(name, context));
    }

    @Override
    public void refuse(DocaError error) {
      replyTo.tell(new RdmaProtocol.OpenFailed(name, error));
    }
  }

  /** A request about registered memory. */
  public sealed interface MemoryCommand extends Command, Request {}

  /**
   * Allocates memory, registers it with a device and cuts it into equal buffers.
   *
   * @param replyTo receives a {@link PoolReply}
   */
  public record OpenPool(PoolOptions options, ActorRef<PoolReply> replyTo)
      implements MemoryCommand {
    @Override
    public void refuse(DocaError error) {
      replyTo.tell(new PoolFailed(error));
    }
  }

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
   * @param replyTo receives a {@link PoolReply}
   */
  public record RegisterMemory(
      Optional<String> device,
      ByteBuffer memory,
      int count,
      int bufferBytes,
      Set<Permission> permissions,
      ActorRef<PoolReply> replyTo)
      implements MemoryCommand {
    /** Copies the set. */
    public RegisterMemory {
      permissions = Set.copyOf(permissions);
    }

    @Override
    public void refuse(DocaError error) {
      replyTo.tell(new PoolFailed(error));
    }
  }

  /**
   * Imports memory of another process for copies. A lease must be aimed at the part to copy.
   *
   * @param device PCI address of the device whose contexts use the memory; empty: the device that
   *     the engine opened first
   * @param export the export that the memory's owner sent
   * @param leases maximum number of leases at a time
   * @param owner the engine closes the pool after the end of this actor and of all leases; empty:
   *     the pool lives until {@link ClosePool} or the end of the engine
   * @param replyTo receives a {@link PoolReply}
   */
  public record ImportMemory(
      Optional<String> device,
      MemoryExport export,
      int leases,
      Optional<ActorRef<?>> owner,
      ActorRef<PoolReply> replyTo)
      implements MemoryCommand {
    @Override
    public void refuse(DocaError error) {
      replyTo.tell(new PoolFailed(error));
    }
  }

  /**
   * Imports memory of an RDMA peer. A lease must be aimed at a part before a task of a connection
   * uses it.
   *
   * @param device PCI address of the context's device; empty: the device that the engine opened
   *     first
   * @param memory what the owner of the memory sent
   * @param leases maximum number of leases at a time
   * @param owner as {@link ImportMemory#owner}; name the RDMA context, so that the import ends with
   *     it
   * @param replyTo receives a {@link PoolReply}
   */
  public record ImportRemoteMemory(
      Optional<String> device,
      RemoteMemory memory,
      int leases,
      Optional<ActorRef<?>> owner,
      ActorRef<PoolReply> replyTo)
      implements MemoryCommand {
    @Override
    public void refuse(DocaError error) {
      replyTo.tell(new PoolFailed(error));
    }
  }

  /**
   * Leases all of a pool's memory several times over. Each lease is aimed at a part of the memory,
   * so that several holders can read the same part at the same time. The windows are a pool. Close
   * them before the pool whose memory they show.
   *
   * @param pool a pool of this engine, with memory of this process
   * @param leases the number of leases at the same time
   * @param replyTo receives a {@link PoolReply}
   */
  public record OpenWindows(BufferPool pool, int leases, ActorRef<PoolReply> replyTo)
      implements MemoryCommand {
    @Override
    public void refuse(DocaError error) {
      replyTo.tell(new PoolFailed(error));
    }
  }

  /**
   * Exports a pool's memory to the other side of the PCI bus, until the pool is closed.
   *
   * @param replyTo receives an {@link ExportReply}
   */
  public record ExportPool(BufferPool pool, ActorRef<ExportReply> replyTo)
      implements MemoryCommand {
    @Override
    public void refuse(DocaError error) {
      replyTo.tell(new ExportFailed(error));
    }
  }

  /**
   * Shares a pool's memory with RDMA peers, until the pool is closed. The pool needs a permission
   * of RDMA.
   *
   * @param replyTo receives a {@link ShareReply}
   */
  public record SharePool(BufferPool pool, ActorRef<ShareReply> replyTo) implements MemoryCommand {
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

  /** The answer to {@link OpenPool} and to the other commands that make a pool. */
  public sealed interface PoolReply extends LocalMessage {}

  /**
   * The pool is ready. Any thread may lease buffers. The engine closes the pool when it stops. It
   * also closes a new pool if no actor receives this answer: the receiver has ended, or its ask has
   * timed out.
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
  public record ClosePool(BufferPool pool, ActorRef<PoolClosed> replyTo) implements MemoryCommand {
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
   * on each engine of the context.
   *
   * @param context a running context of tasks of this engine or engine group
   * @param replyTo receives a {@link BuffersReply}
   */
  public record OpenBuffers(
      ActorRef<?> context, BufferOptions options, ActorRef<BuffersReply> replyTo)
      implements MemoryCommand {
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
  public record CloseBuffers(TaskBuffers buffers, ActorRef<PoolClosed> replyTo)
      implements MemoryCommand {
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
   * <p>An actor that restarts keeps its {@code ActorRef}. It sends this message again in its {@code
   * setup}. The leases from before the restart then return, and the answer has the same {@link
   * LeaseScope}. Leases of requests that are in flight stay, and the restarted actor receives their
   * answers. An actor asks once after each start.
   *
   * @param owner the actor
   * @param pool a pool of this engine
   * @param before the leases that holders had when the message was made
   * @param replyTo receives a {@link LeaseReply}
   */
  public record OwnLeases(
      ActorRef<?> owner, BufferPool pool, LeaseMark before, ActorRef<LeaseReply> replyTo)
      implements MemoryCommand {
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
   */
  public record LeasesOwned(LeaseScope leases) implements LeaseReply {}

  /** The pool is closed or belongs to another engine, or the engine is stopping. */
  public record LeasesRefused(DocaError error) implements LeaseReply {}

  /**
   * Asks for the state of the engine. Answer: {@link Status}; of an engine that has ended {@link
   * Status#ENDED}.
   */
  public record GetStatus(ActorRef<Status> replyTo) implements Command, Request {
    @Override
    public void refuse(DocaError error) {
      replyTo.tell(Status.ENDED);
    }
  }

  /**
   * A snapshot of an engine.
   *
   * @param library the DOCA libraries in use: {@code software DPU} or NVIDIA's; empty when the
   *     engine has ended
   * @param open number of open objects by kind
   * @param tasksInFlight tasks that the device holds
   * @param counters counters by name since the engine's start; docs/threading.md describes each
   */
  public record Status(
      String library,
      Map<Census.Resource, Integer> open,
      int tasksInFlight,
      Map<String, Long> counters)
      implements LocalMessage {
    /** The status of an engine that has ended: nothing is open, nothing is counted. */
    public static final Status ENDED = new Status("", Map.of(), 0, Map.of());
  }
}

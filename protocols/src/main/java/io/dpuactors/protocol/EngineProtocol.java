package io.dpuactors.protocol;

import io.dpuactors.bridge.BufferPool;
import io.dpuactors.bridge.Census;
import io.dpuactors.bridge.DocaError;
import io.dpuactors.bridge.LeaseScope;
import io.dpuactors.bridge.MemoryExport;
import io.dpuactors.bridge.MemoryOptions;
import io.dpuactors.bridge.Permission;
import io.dpuactors.protocol.comch.ClientOptions;
import io.dpuactors.protocol.comch.ConnectionProtocol;
import io.dpuactors.protocol.comch.ServerOptions;
import io.dpuactors.protocol.comch.ServerProtocol;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.pekko.actor.typed.ActorRef;

/** What an {@code Engine} understands. */
public final class EngineProtocol {
  private EngineProtocol() {}

  /** Any message to the engine. */
  public sealed interface Command {}

  /**
   * Open a context as a supervised child of the engine.
   *
   * @param <C> what the context understands
   */
  public sealed interface Open<C> extends Command, Request {
    /** Of the child actor, unique below the engine. */
    String name();

    /**
     * Is answered once: when the context runs, when it could not be started, or at the engine's
     * open-deadline.
     */
    ActorRef<OpenReply<C>> replyTo();

    /** Whether the context goes on trying to start after the engine's open-deadline. */
    default boolean goesOn() {
      return false;
    }

    @Override
    default void refuse(DocaError error) {
      replyTo().tell(new OpenFailed<>(name(), error));
    }
  }

  /** Open a compress context. */
  public record OpenCompress(
      String name, CompressOptions options, ActorRef<OpenReply<CompressProtocol.Command>> replyTo)
      implements Open<CompressProtocol.Command> {}

  /** Open a DMA context. */
  public record OpenDma(
      String name, DmaOptions options, ActorRef<OpenReply<DmaProtocol.Command>> replyTo)
      implements Open<DmaProtocol.Command> {}

  /** Open a server of the communication channel; it accepts clients as soon as it runs. */
  public record OpenComchServer(
      String name, ServerOptions options, ActorRef<OpenReply<ServerProtocol.Command>> replyTo)
      implements Open<ServerProtocol.Command> {}

  /** Open a client of the communication channel; it runs when it is connected. */
  public record OpenComchClient(
      String name, ClientOptions options, ActorRef<OpenReply<ConnectionProtocol.Command>> replyTo)
      implements Open<ConnectionProtocol.Command> {
    @Override
    public boolean goesOn() {
      return options.comesBack();
    }
  }

  /**
   * The answer to an Open command.
   *
   * @param <C> what the context understands
   */
  public sealed interface OpenReply<C> {
    /** The name in the command. */
    String name();
  }

  /**
   * The context is running.
   *
   * @param <C> what the context understands
   */
  public record Opened<C>(String name, ActorRef<C> context) implements OpenReply<C> {}

  /**
   * The context does not run yet, and goes on trying until it is stopped or has no attempt left:
   * the answer, at the engine's open-deadline, for a client that comes back by itself. Its listener
   * is told when it is connected.
   *
   * @param <C> what the context understands
   * @param error what it was waited for, and how long
   */
  public record Opening<C>(String name, ActorRef<C> context, DocaError error)
      implements OpenReply<C> {}

  /**
   * The context could not be started; its actor has ended.
   *
   * @param <C> what the context would have understood
   */
  public record OpenFailed<C>(String name, DocaError error) implements OpenReply<C> {}

  /** What is asked about registered memory. */
  public sealed interface MemoryCommand extends Command {}

  /**
   * Register memory with a device and cut it into equal buffers.
   *
   * @param device PCI address; empty: the device that the engine opened first
   * @param count buffers
   * @param bufferBytes size of each
   * @param memory what kind; {@link ExportPool} needs a permission of PCI. What came of a wish for
   *     huge pages, {@code pool.memory().pages()} says
   * @param replyTo gets a {@link PoolReply}
   */
  public record OpenPool(
      Optional<String> device,
      int count,
      int bufferBytes,
      MemoryOptions memory,
      ActorRef<PoolReply> replyTo)
      implements MemoryCommand {
    /** Ordinary memory with these permissions. */
    public OpenPool(
        Optional<String> device,
        int count,
        int bufferBytes,
        Set<Permission> permissions,
        ActorRef<PoolReply> replyTo) {
      this(
          device,
          count,
          bufferBytes,
          MemoryOptions.defaults().withPermissions(permissions),
          replyTo);
    }

    /** Memory that nobody else may use. */
    public OpenPool(
        Optional<String> device, int count, int bufferBytes, ActorRef<PoolReply> replyTo) {
      this(device, count, bufferBytes, MemoryOptions.defaults(), replyTo);
    }
  }

  /**
   * Register memory of the program's and cut it into equal buffers. It stays the program's, and is
   * kept alive until the pool is closed.
   *
   * @param device PCI address; empty: the device that the engine opened first
   * @param memory a direct buffer; what lies between position and limit is taken
   * @param count buffers, each beginning at a multiple of its size rounded up to 64 bytes, or to
   *     4096 when it is at least as large
   * @param bufferBytes size of each
   * @param permissions what devices may do with it
   * @param replyTo gets a {@link PoolReply}
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
  }

  /**
   * Make the memory of another process usable in copies. Each lease is to be aimed at the part that
   * is meant.
   *
   * @param device PCI address of the device whose contexts will use it; empty: the device that the
   *     engine opened first
   * @param export what the owner of the memory sent
   * @param leases how many there can be at once
   * @param owner the pool is closed when this actor has ended and all leases are back; empty: with
   *     {@link ClosePool} or the engine
   * @param replyTo gets a {@link PoolReply}
   */
  public record ImportMemory(
      Optional<String> device,
      MemoryExport export,
      int leases,
      Optional<ActorRef<?>> owner,
      ActorRef<PoolReply> replyTo)
      implements MemoryCommand {}

  /**
   * Make a pool's memory known to the other side of the PCI bus, until the pool is closed.
   *
   * @param replyTo gets an {@link ExportReply}
   */
  public record ExportPool(BufferPool pool, ActorRef<ExportReply> replyTo)
      implements MemoryCommand {}

  /** The answer to {@link ExportPool}. */
  public sealed interface ExportReply {}

  /** What the other side needs to import the memory. */
  public record Exported(MemoryExport export) implements ExportReply {}

  /** The memory may not be exported, or the pool is closed. */
  public record ExportFailed(DocaError error) implements ExportReply {}

  /** The answer to {@link OpenPool}, {@link RegisterMemory} and {@link ImportMemory}. */
  public sealed interface PoolReply {}

  /** The pool is ready; leases may be taken on any thread. The engine closes it when it stops. */
  public record PoolOpened(BufferPool pool) implements PoolReply {}

  /** There is no such device, no memory, or nothing to import. */
  public record PoolFailed(DocaError error) implements PoolReply {}

  /**
   * Close a pool before the engine stops; every buffer must have been returned, else the pool stays
   * open and the failure says so.
   */
  public record ClosePool(BufferPool pool, ActorRef<PoolClosed> replyTo) implements MemoryCommand {}

  /**
   * The answer to {@link ClosePool}.
   *
   * @param failure empty when the pool is closed
   */
  public record PoolClosed(Optional<String> failure) {}

  /**
   * Lease buffers in the name of an actor: what it still has when it ends goes back to the pool as
   * soon as no task of its requests is in flight.
   *
   * @param owner whose leases they are
   * @param pool a pool of this engine
   * @param replyTo gets a {@link LeaseReply}
   */
  public record OwnLeases(ActorRef<?> owner, BufferPool pool, ActorRef<LeaseReply> replyTo)
      implements MemoryCommand {}

  /** The answer to {@link OwnLeases}. */
  public sealed interface LeaseReply {}

  /** Where the owner leases from now on; whoever else takes a lease of it over says so there. */
  public record LeasesOwned(LeaseScope leases) implements LeaseReply {}

  /** The pool is closed or another engine's, or the engine is stopping. */
  public record LeasesRefused(DocaError error) implements LeaseReply {}

  /** Ask how the engine is doing. Answer: {@link Status}. */
  public record GetStatus(ActorRef<Status> replyTo) implements Command {}

  /**
   * A snapshot of an engine.
   *
   * @param library which DOCA library drives the device: {@code software DPU} or NVIDIA's
   * @param open what is open at the moment
   * @param tasksInFlight tasks that the device holds
   * @param counters by name, since the engine started: see docs/threading.md
   */
  public record Status(
      String library,
      Map<Census.Resource, Integer> open,
      int tasksInFlight,
      Map<String, Long> counters) {}

  /**
   * Stop the engine: every context first, then its memory and devices, then the progress engine,
   * then the actor.
   *
   * @param replyTo learns how it went, just before the actor ends
   */
  public record Stop(ActorRef<Stopped> replyTo) implements Command {}

  /**
   * The engine has stopped.
   *
   * @param clean whether nothing was left open
   * @param census what was left, for people: {@code empty} when clean
   */
  public record Stopped(boolean clean, String census) {}
}

package io.dpuactors.engine;

import io.dpuactors.bridge.BufferPool;
import io.dpuactors.bridge.DocaCode;
import io.dpuactors.bridge.DocaError;
import io.dpuactors.bridge.DocaException;
import io.dpuactors.bridge.LeaseScope;
import io.dpuactors.bridge.MemoryOptions;
import io.dpuactors.bridge.TaskBuffers;
import io.dpuactors.bridge.TaskBuffers.Part;
import io.dpuactors.bridge.internal.Device;
import io.dpuactors.node.EngineCore;
import io.dpuactors.protocol.BufferOptions;
import io.dpuactors.protocol.BufferReply;
import io.dpuactors.protocol.MemoryProtocol;
import io.dpuactors.protocol.MemoryProtocol.BuffersFailed;
import io.dpuactors.protocol.MemoryProtocol.BuffersOpened;
import io.dpuactors.protocol.MemoryProtocol.CloseBuffers;
import io.dpuactors.protocol.MemoryProtocol.ClosePool;
import io.dpuactors.protocol.MemoryProtocol.ExportPool;
import io.dpuactors.protocol.MemoryProtocol.Exported;
import io.dpuactors.protocol.MemoryProtocol.ImportMemory;
import io.dpuactors.protocol.MemoryProtocol.ImportRemoteMemory;
import io.dpuactors.protocol.MemoryProtocol.LeasesOwned;
import io.dpuactors.protocol.MemoryProtocol.OpenBuffers;
import io.dpuactors.protocol.MemoryProtocol.OpenPool;
import io.dpuactors.protocol.MemoryProtocol.OpenWindows;
import io.dpuactors.protocol.MemoryProtocol.OwnLeases;
import io.dpuactors.protocol.MemoryProtocol.PoolClosed;
import io.dpuactors.protocol.MemoryProtocol.PoolFailed;
import io.dpuactors.protocol.MemoryProtocol.PoolOpened;
import io.dpuactors.protocol.MemoryProtocol.PoolReply;
import io.dpuactors.protocol.MemoryProtocol.RegisterMemory;
import io.dpuactors.protocol.MemoryProtocol.SharePool;
import io.dpuactors.protocol.MemoryProtocol.Shared;
import io.dpuactors.protocol.PoolOptions;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.apache.pekko.actor.typed.ActorRef;

/** Handles an engine's memory commands. Engine's thread. */
final class PoolRequests {
  private final EngineCore core;
  private final Function<ActorRef<?>, Optional<String>> deviceOf;
  private final Consumer<BufferPool> undelivered;
  private final OwnedMemory owned;

  /**
   * Creates the handler of one engine.
   *
   * @param owned the imports and leases of actors
   * @param deviceOf returns the PCI address of a context
   * @param self the engine
   * @param ignore receives answers that nothing needs
   */
  PoolRequests(
      EngineCore core,
      OwnedMemory owned,
      Function<ActorRef<?>, Optional<String>> deviceOf,
      ActorRef<? super ClosePool> self,
      ActorRef<PoolClosed> ignore) {
    this.core = core;
    this.owned = owned;
    this.deviceOf = deviceOf;
    this.undelivered = pool -> self.tell(new ClosePool(pool, ignore));
  }

  void on(MemoryProtocol.Command command) {
    if (command instanceof OpenPool open) {
      answer(open.replyTo(), () -> open(open.options()));
    } else if (command instanceof ImportMemory imports) {
      answer(imports.replyTo(), () -> openImport(imports));
    } else if (command instanceof RegisterMemory register) {
      answer(register.replyTo(), () -> register(register));
    } else if (command instanceof OpenWindows windows) {
      answer(windows.replyTo(), () -> openWindows(windows));
    } else if (command instanceof OwnLeases leases) {
      ownLeases(leases);
    } else if (command instanceof ImportRemoteMemory imports) {
      answer(imports.replyTo(), () -> openImport(imports));
    } else if (command instanceof SharePool share) {
      share(share);
    } else if (command instanceof ExportPool export) {
      export(export);
    } else if (command instanceof OpenBuffers open) {
      openBuffers(open);
    } else {
      onWhileStopping(command);
    }
  }

  /** Handles a command of a stopping engine, which only closes memory. */
  void onWhileStopping(MemoryProtocol.Command command) {
    if (command instanceof ClosePool close) {
      close.replyTo().tell(new PoolClosed(close(List.of(close.pool()))));
    } else if (command instanceof CloseBuffers close) {
      close.replyTo().tell(new PoolClosed(close(pools(close.buffers()))));
    } else {
      command.refuse(DocaError.of("engine", DocaCode.SHUTDOWN, "the engine is stopping"));
    }
  }

  private BufferPool open(PoolOptions options) {
    return core.pools()
        .open(device(options.device()), options.count(), options.bufferBytes(), options.memory());
  }

  private void openBuffers(OpenBuffers command) {
    Optional<String> device = deviceOf.apply(command.context());
    if (device.isEmpty()) {
      command.refuse(
          DocaError.of(
              "open pool",
              DocaCode.NOT_FOUND,
              command.context().path().name() + " is no running context of tasks of this engine"));
      return;
    }
    BufferOptions options = command.options();
    answer(
        command.replyTo(),
        BuffersFailed::new,
        () -> {
          Part part = open(device.get(), options);
          return new BuffersOpened(
              TaskBuffers.of(List.of(part), options.maxWaiting()),
              new OfferedPool(
                  () -> {
                    undelivered.accept(part.sources());
                    undelivered.accept(part.destinations());
                  }));
        });
  }

  private Part open(String device, BufferOptions options) {
    BufferPool sources = open(device, options, options.sourceBytes());
    try {
      return new Part(sources, open(device, options, options.destinationBytes()));
    } catch (DocaException | IllegalArgumentException | OutOfMemoryError e) {
      core.pools().close(sources);
      throw e;
    }
  }

  private BufferPool open(String device, BufferOptions options, int bufferBytes) {
    MemoryOptions memory = MemoryOptions.defaults();
    return open(
        PoolOptions.of(options.pairs(), bufferBytes)
            .onDevice(device)
            .withMemory(options.hugePages() ? memory.withHugePages() : memory));
  }

  private static List<BufferPool> pools(TaskBuffers buffers) {
    return buffers.parts().stream()
        .flatMap(part -> Stream.of(part.sources(), part.destinations()))
        .toList();
  }

  private BufferPool register(RegisterMemory command) {
    return core.pools()
        .register(
            device(command.device()),
            command.memory(),
            command.count(),
            command.bufferBytes(),
            command.permissions());
  }

  private BufferPool openWindows(OpenWindows command) {
    if (!core.pools().isOpen(command.pool())) {
      throw new IllegalArgumentException(
          command.pool() + " is closed or belongs to another engine");
    }
    return core.pools().openWindows(command.pool(), command.leases());
  }

  private void ownLeases(OwnLeases command) {
    if (core.pools().isOpen(command.pool())) {
      owned.leases(command, scope -> answer(command, scope));
    } else {
      refuse(
          command, DocaCode.BAD_STATE, command.pool() + " is closed or belongs to another engine");
    }
  }

  /** The owner may have waited for this answer while the engine ended or the pool was closed. */
  private void answer(OwnLeases command, LeaseScope scope) {
    if (core.isClosed()) {
      refuse(command, DocaCode.SHUTDOWN, "the engine has ended");
    } else if (command.pool().isClosed()) {
      refuse(command, DocaCode.BAD_STATE, command.pool() + " is closed");
    } else {
      command.replyTo().tell(new LeasesOwned(scope, command.before()));
    }
  }

  private static void refuse(OwnLeases command, DocaCode code, String why) {
    command.refuse(DocaError.of("own leases", code, why));
  }

  private BufferPool openImport(ImportMemory command) {
    return owned.add(
        command.owner(),
        core.pools().openImport(device(command.device()), command.export(), command.leases()));
  }

  private BufferPool openImport(ImportRemoteMemory command) {
    Optional<String> device = command.device().or(() -> deviceOf.apply(command.context()));
    return owned.add(
        Optional.of(command.context()),
        core.pools().openImport(device(device), command.memory(), command.leases()));
  }

  private Device device(Optional<String> address) {
    return core.devices().openForMemory(address);
  }

  private void answer(ActorRef<PoolReply> replyTo, Supplier<BufferPool> opening) {
    answer(
        replyTo,
        PoolFailed::new,
        () -> {
          BufferPool pool = opening.get();
          return new PoolOpened(pool, new OfferedPool(() -> undelivered.accept(pool)));
        });
  }

  private static <R, O extends BufferReply> void answer(
      ActorRef<R> replyTo, Function<DocaError, ? extends R> failed, Supplier<O> opening) {
    try {
      O opened = opening.get();
      DeadRequests.watch(replyTo);
      BufferReply.send(replyTo.unsafeUpcast(), opened);
    } catch (DocaException e) {
      replyTo.tell(failed.apply(e.error()));
    } catch (IllegalArgumentException e) {
      replyTo.tell(failed.apply(error(DocaCode.INVALID_VALUE, e)));
    } catch (OutOfMemoryError e) {
      replyTo.tell(failed.apply(error(DocaCode.NO_MEMORY, e)));
    }
  }

  private static DocaError error(DocaCode code, Throwable cause) {
    return DocaError.of("open pool", code, String.valueOf(cause.getMessage()));
  }

  private static void export(ExportPool command) {
    export(command, () -> command.replyTo().tell(new Exported(command.pool().export())));
  }

  private static void share(SharePool command) {
    export(command, () -> command.replyTo().tell(new Shared(command.pool().exportToPeers())));
  }

  private static void export(MemoryProtocol.Command command, Runnable answer) {
    try {
      answer.run();
    } catch (DocaException e) {
      command.refuse(e.error());
    } catch (IllegalStateException e) {
      command.refuse(
          DocaError.of("export pool", DocaCode.BAD_STATE, String.valueOf(e.getMessage())));
    }
  }

  /** Closes pools in order. Returns the first failure, after which the next pools stay open. */
  private Optional<DocaError> close(List<BufferPool> pools) {
    try {
      pools.forEach(core.pools()::close);
      return Optional.empty();
    } catch (DocaException e) {
      return Optional.of(e.error());
    } catch (IllegalStateException e) {
      return Optional.of(
          DocaError.of("close pool", DocaCode.IN_USE, String.valueOf(e.getMessage())));
    }
  }
}

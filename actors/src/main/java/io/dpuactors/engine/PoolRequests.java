package io.dpuactors.engine;

import io.dpuactors.bridge.BufferPool;
import io.dpuactors.bridge.DocaCode;
import io.dpuactors.bridge.DocaError;
import io.dpuactors.bridge.DocaException;
import io.dpuactors.bridge.LeaseScope;
import io.dpuactors.node.EngineCore;
import io.dpuactors.protocol.BufferReply;
import io.dpuactors.protocol.EngineProtocol.ClosePool;
import io.dpuactors.protocol.EngineProtocol.ExportFailed;
import io.dpuactors.protocol.EngineProtocol.ExportPool;
import io.dpuactors.protocol.EngineProtocol.Exported;
import io.dpuactors.protocol.EngineProtocol.ImportMemory;
import io.dpuactors.protocol.EngineProtocol.LeasesOwned;
import io.dpuactors.protocol.EngineProtocol.LeasesRefused;
import io.dpuactors.protocol.EngineProtocol.MemoryCommand;
import io.dpuactors.protocol.EngineProtocol.OpenPool;
import io.dpuactors.protocol.EngineProtocol.OpenWindows;
import io.dpuactors.protocol.EngineProtocol.OwnLeases;
import io.dpuactors.protocol.EngineProtocol.PoolClosed;
import io.dpuactors.protocol.EngineProtocol.PoolFailed;
import io.dpuactors.protocol.EngineProtocol.PoolOpened;
import io.dpuactors.protocol.EngineProtocol.PoolReply;
import io.dpuactors.protocol.EngineProtocol.RegisterMemory;
import io.dpuactors.protocol.PoolOptions;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.internal.InternalRecipientRef;

/** Handles an engine's memory commands. Engine's thread. */
final class PoolRequests {
  private final EngineCore core;
  private final Consumer<ActorRef<?>> watch;
  private final Consumer<BufferPool> undelivered;
  private final Map<ActorRef<?>, Belongings> owned = new HashMap<>();

  /** Resources that the engine releases when their owner ends. */
  private record Belongings(List<BufferPool> imports, List<LeaseScope> leases) {
    Belongings() {
      this(new ArrayList<>(), new ArrayList<>());
    }
  }

  /**
   * Creates the handler of one engine.
   *
   * @param watch makes the engine watch an actor
   * @param self the engine
   * @param ignore receives answers that nothing needs
   */
  PoolRequests(
      EngineCore core,
      Consumer<ActorRef<?>> watch,
      ActorRef<? super ClosePool> self,
      ActorRef<PoolClosed> ignore) {
    this.core = core;
    this.watch = watch;
    this.undelivered = pool -> self.tell(new ClosePool(pool, ignore));
  }

  void on(MemoryCommand command) {
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
    } else if (command instanceof ExportPool export) {
      export(export);
    } else if (command instanceof ClosePool close) {
      close(close);
    }
  }

  /** Handles a command of a stopping engine, which accepts only ClosePool. */
  void onWhileStopping(MemoryCommand command) {
    if (command instanceof ClosePool close) {
      close(close);
    } else {
      command.refuse(
          DocaError.of("open pool", DocaCode.SHUTDOWN.value(), "the engine is stopping"));
    }
  }

  /**
   * Releases the resources of owners that have ended. For an engine that receives no more signals.
   */
  void releaseOfEnded() {
    owned.keySet().stream().filter(PoolRequests::hasEnded).toList().forEach(this::onTerminated);
  }

  private static boolean hasEnded(ActorRef<?> owner) {
    return owner instanceof InternalRecipientRef<?> actor && actor.isTerminated();
  }

  /**
   * Releases the leases of an actor that has ended. Its imports close when all their leases are
   * released.
   */
  void onTerminated(ActorRef<?> actor) {
    Belongings left = owned.remove(actor);
    if (left != null) {
      left.leases().forEach(core.pools()::endWhenSeen);
      left.imports().forEach(core.pools()::closeWhenBack);
    }
  }

  private BufferPool open(PoolOptions options) {
    return core.pools()
        .open(
            core.devices().openForMemory(options.device()),
            options.count(),
            options.bufferBytes(),
            options.memory());
  }

  private BufferPool register(RegisterMemory command) {
    return core.pools()
        .register(
            core.devices().openForMemory(command.device()),
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
    if (!core.pools().isOpen(command.pool())) {
      command
          .replyTo()
          .tell(
              new LeasesRefused(
                  DocaError.of(
                      "own leases",
                      DocaCode.BAD_STATE.value(),
                      command.pool() + " is closed or belongs to another engine")));
      return;
    }
    command.replyTo().tell(new LeasesOwned(leases(command)));
  }

  /**
   * Returns the scope of the owner and pool. If the owner has one already, the owner has restarted.
   */
  private LeaseScope leases(OwnLeases command) {
    List<LeaseScope> scopes = belongings(command.owner()).leases();
    for (LeaseScope known : scopes) {
      if (known.pool() == command.pool()) {
        core.pools().releaseWhenSeen(known, command.before());
        return known;
      }
    }
    LeaseScope fresh = command.pool().scope(String.valueOf(command.owner().path()));
    scopes.add(fresh);
    return fresh;
  }

  private BufferPool openImport(ImportMemory command) {
    BufferPool pool =
        core.pools()
            .openImport(
                core.devices().openForMemory(command.device()), command.export(), command.leases());
    command.owner().ifPresent(owner -> belongings(owner).imports().add(pool));
    return pool;
  }

  private Belongings belongings(ActorRef<?> owner) {
    watch.accept(owner);
    return owned.computeIfAbsent(owner, key -> new Belongings());
  }

  private void answer(ActorRef<PoolReply> replyTo, Supplier<BufferPool> opening) {
    try {
      BufferPool pool = opening.get();
      DeadRequests.watch(replyTo);
      BufferReply.send(
          replyTo, new PoolOpened(pool, new OfferedPool(() -> undelivered.accept(pool))));
    } catch (DocaException e) {
      replyTo.tell(new PoolFailed(e.error()));
    } catch (IllegalArgumentException e) {
      replyTo.tell(new PoolFailed(error(DocaCode.INVALID_VALUE, e)));
    } catch (OutOfMemoryError e) {
      replyTo.tell(new PoolFailed(error(DocaCode.NO_MEMORY, e)));
    }
  }

  private static DocaError error(DocaCode code, Throwable cause) {
    return DocaError.of("open pool", code.value(), String.valueOf(cause.getMessage()));
  }

  private static void export(ExportPool command) {
    try {
      command.replyTo().tell(new Exported(command.pool().export()));
    } catch (DocaException e) {
      command.replyTo().tell(new ExportFailed(e.error()));
    } catch (IllegalStateException e) {
      command
          .replyTo()
          .tell(
              new ExportFailed(
                  DocaError.of(
                      "export pool", DocaCode.BAD_STATE.value(), String.valueOf(e.getMessage()))));
    }
  }

  private void close(ClosePool command) {
    Optional<DocaError> failure = Optional.empty();
    try {
      core.pools().close(command.pool());
    } catch (DocaException e) {
      failure = Optional.of(e.error());
    } catch (IllegalStateException e) {
      failure =
          Optional.of(
              DocaError.of(
                  "close pool", DocaCode.IN_USE.value(), String.valueOf(e.getMessage())));
    }
    command.replyTo().tell(new PoolClosed(failure));
  }
}

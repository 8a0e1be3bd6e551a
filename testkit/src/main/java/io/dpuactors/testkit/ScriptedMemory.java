package io.dpuactors.testkit;

import io.dpuactors.bridge.BufferPool;
import io.dpuactors.bridge.Census;
import io.dpuactors.bridge.DocaCode;
import io.dpuactors.bridge.DocaError;
import io.dpuactors.bridge.LeaseScope;
import io.dpuactors.bridge.TaskBuffers;
import io.dpuactors.protocol.MemoryProtocol;
import io.dpuactors.protocol.MemoryProtocol.BuffersOpened;
import io.dpuactors.protocol.MemoryProtocol.CloseBuffers;
import io.dpuactors.protocol.MemoryProtocol.ClosePool;
import io.dpuactors.protocol.MemoryProtocol.LeasesOwned;
import io.dpuactors.protocol.MemoryProtocol.OpenBuffers;
import io.dpuactors.protocol.MemoryProtocol.OpenPool;
import io.dpuactors.protocol.MemoryProtocol.OwnLeases;
import io.dpuactors.protocol.MemoryProtocol.PoolClosed;
import io.dpuactors.protocol.MemoryProtocol.PoolOpened;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.apache.pekko.actor.typed.ActorRef;

/** Memory and leases of a {@link ScriptedEngine}. Thread: the engine's. */
final class ScriptedMemory {
  private final Predicate<ActorRef<?>> isContext;
  private final Consumer<ActorRef<?>> watch;
  private final Set<BufferPool> pools = new LinkedHashSet<>();
  private final Map<ActorRef<?>, List<LeaseScope>> owned = new HashMap<>();

  /**
   * Creates the memory without pools.
   *
   * @param isContext returns whether an actor is a running context of the engine
   * @param watch watches the owner of leases
   */
  ScriptedMemory(Predicate<ActorRef<?>> isContext, Consumer<ActorRef<?>> watch) {
    this.isContext = isContext;
    this.watch = watch;
  }

  void on(MemoryProtocol.Command command, boolean isStopping) {
    if (command instanceof ClosePool close) {
      close.replyTo().tell(new PoolClosed(close(List.of(close.pool()))));
    } else if (command instanceof CloseBuffers close) {
      close.replyTo().tell(new PoolClosed(close(pools(close.buffers()).toList())));
    } else if (isStopping) {
      command.refuse(error("engine", DocaCode.SHUTDOWN, "the engine is stopping"));
    } else if (command instanceof OpenPool open) {
      openPool(open);
    } else if (command instanceof OpenBuffers open) {
      openBuffers(open);
    } else if (command instanceof OwnLeases own) {
      ownLeases(own);
    } else {
      command.refuse(
          error("open pool", DocaCode.NOT_SUPPORTED, "a scripted engine has memory of the heap"));
    }
  }

  private void openPool(OpenPool command) {
    answer(
        command,
        () -> {
          BufferPool pool =
              HeapBuffers.pool(command.options().count(), command.options().bufferBytes());
          pools.add(pool);
          command.replyTo().tell(new PoolOpened(pool));
        });
  }

  private void openBuffers(OpenBuffers command) {
    if (!isContext.test(command.context())) {
      command.refuse(
          error(
              "open pool",
              DocaCode.NOT_FOUND,
              command.context().path().name() + " is no running context of tasks of this engine"));
      return;
    }
    answer(
        command,
        () -> {
          TaskBuffers buffers = HeapBuffers.pairs(command.options());
          pools(buffers).forEach(pools::add);
          command.replyTo().tell(new BuffersOpened(buffers, null));
        });
  }

  /** Refuses memory of an invalid size, and of more bytes than the heap or a Java array has. */
  private static void answer(MemoryProtocol.Command command, Runnable opening) {
    try {
      opening.run();
    } catch (IllegalArgumentException e) {
      command.refuse(error("open pool", DocaCode.INVALID_VALUE, String.valueOf(e.getMessage())));
    } catch (ArithmeticException | OutOfMemoryError e) {
      command.refuse(
          error("open pool", DocaCode.NO_MEMORY, "memory of the Java heap: " + e.getMessage()));
    }
  }

  /** An owner that has a scope of the pool already has restarted. */
  private void ownLeases(OwnLeases command) {
    if (!pools.contains(command.pool())) {
      command.refuse(
          error(
              "own leases",
              DocaCode.BAD_STATE,
              command.pool() + " is closed or belongs to another engine"));
      return;
    }
    watch.accept(command.owner());
    List<LeaseScope> scopes = owned.computeIfAbsent(command.owner(), key -> new ArrayList<>());
    LeaseScope leases =
        scopes.stream()
            .filter(scope -> scope.pool() == command.pool())
            .findFirst()
            .orElseGet(() -> command.pool().scope(String.valueOf(command.owner().path())));
    if (scopes.contains(leases)) {
      leases.releaseMarked(command.before());
    } else {
      scopes.add(leases);
    }
    command.replyTo().tell(new LeasesOwned(leases, command.before()));
  }

  /** Releases the leases of an actor that has ended. */
  void onOwnerEnded(ActorRef<?> owner) {
    owned.getOrDefault(owner, List.of()).forEach(LeaseScope::end);
    owned.remove(owner);
  }

  private static Stream<BufferPool> pools(TaskBuffers buffers) {
    return buffers.parts().stream().flatMap(part -> Stream.of(part.sources(), part.destinations()));
  }

  /** Closes pools in order. Returns the first failure, after which the next pools stay open. */
  private Optional<DocaError> close(List<BufferPool> closing) {
    try {
      for (BufferPool pool : closing) {
        pool.close();
        pools.remove(pool);
      }
      return Optional.empty();
    } catch (IllegalStateException e) {
      return Optional.of(error("close pool", DocaCode.IN_USE, String.valueOf(e.getMessage())));
    }
  }

  void stopLending() {
    pools.forEach(BufferPool::stopLending);
  }

  private int leases() {
    return pools.stream()
        .mapToInt(pool -> pool.memory().census().count(Census.Resource.LEASE))
        .sum();
  }

  /** Returns whether no buffer is leased. */
  boolean isReturned() {
    return leases() == 0;
  }

  /** Returns the open objects of the engine. */
  Map<Census.Resource, Integer> open(int contexts) {
    Map<Census.Resource, Integer> open = new EnumMap<>(Census.Resource.class);
    open.put(Census.Resource.CONTEXT, contexts);
    open.put(Census.Resource.BUFFER_POOL, pools.size());
    open.put(Census.Resource.LEASE, leases());
    open.values().removeIf(count -> count == 0);
    return open;
  }

  /** Returns the open memory as text. */
  String census() {
    return "%d BUFFER_POOL, %d LEASE".formatted(pools.size(), leases());
  }

  /** Closes all pools at the end of the engine. */
  void close() {
    pools.forEach(BufferPool::closeAfterLoss);
    pools.clear();
  }

  private static DocaError error(String operation, DocaCode code, String why) {
    return DocaError.of(operation, code.value(), why);
  }
}

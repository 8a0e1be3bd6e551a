package io.dpuactors.engine;

import io.dpuactors.bridge.BufferPool;
import io.dpuactors.bridge.LeaseScope;
import io.dpuactors.node.EnginePools;
import io.dpuactors.protocol.MemoryProtocol.OwnLeases;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.internal.InternalRecipientRef;

/**
 * The imports and leases that belong to actors. The engine watches each owner, and releases what
 * the owner leaves behind. Engine's thread.
 */
final class OwnedMemory {
  private final EnginePools pools;
  private final Consumer<ActorRef<?>> watch;
  private final Map<ActorRef<?>, Owned> owned = new HashMap<>();

  /** Resources that the engine releases when their owner ends. */
  private record Owned(List<BufferPool> imports, List<LeaseScope> leases) {
    Owned() {
      this(new ArrayList<>(), new ArrayList<>());
    }
  }

  /**
   * Creates an empty set.
   *
   * @param watch makes the engine watch an actor
   */
  OwnedMemory(EnginePools pools, Consumer<ActorRef<?>> watch) {
    this.pools = pools;
    this.watch = watch;
  }

  /** Adds an import, and returns it. An import without an owner is open as long as the engine. */
  BufferPool add(Optional<ActorRef<?>> owner, BufferPool imported) {
    owner.ifPresent(actor -> ownedBy(actor).imports().add(imported));
    return imported;
  }

  /**
   * Answers with the scope of the owner and pool. If the owner has one already, the owner has
   * restarted: the answer follows the return of its leases, or the end of the engine.
   */
  void leases(OwnLeases command, Consumer<LeaseScope> answer) {
    List<LeaseScope> scopes = ownedBy(command.owner()).leases();
    for (LeaseScope known : scopes) {
      if (known.pool() == command.pool()) {
        pools.releaseWhenSeen(known, command.before(), () -> answer.accept(known));
        return;
      }
    }
    LeaseScope fresh = command.pool().scope(String.valueOf(command.owner().path()));
    scopes.add(fresh);
    answer.accept(fresh);
  }

  private Owned ownedBy(ActorRef<?> owner) {
    watch.accept(owner);
    Owned all = owned.computeIfAbsent(owner, key -> new Owned());
    all.imports().removeIf(BufferPool::isClosed);
    all.leases().removeIf(scope -> scope.pool().isClosed()); // a closed pool has no leases
    return all;
  }

  /** Returns the number of imports and of scopes that an owner has. */
  int count(ActorRef<?> owner) {
    Owned all = owned.get(owner);
    return all == null ? 0 : all.imports().size() + all.leases().size();
  }

  /**
   * Releases the leases of an actor that has ended. The imports of the actor close when all their
   * leases are released.
   */
  void release(ActorRef<?> owner) {
    Owned left = owned.remove(owner);
    if (left != null) {
      left.leases().forEach(pools::endWhenSeen);
      left.imports().forEach(pools::closeWhenBack);
    }
  }

  /**
   * Releases the resources of all owners that have ended. For an engine that receives no more
   * signals.
   */
  void releaseOfEnded() {
    owned.keySet().stream().filter(OwnedMemory::hasEnded).toList().forEach(this::release);
  }

  private static boolean hasEnded(ActorRef<?> owner) {
    return owner instanceof InternalRecipientRef<?> actor && actor.isTerminated();
  }
}

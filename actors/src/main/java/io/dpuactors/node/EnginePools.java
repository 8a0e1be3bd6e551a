package io.dpuactors.node;

import io.dpuactors.bridge.BufferPool;
import io.dpuactors.bridge.Device;
import io.dpuactors.bridge.LeaseMark;
import io.dpuactors.bridge.LeaseScope;
import io.dpuactors.bridge.MemoryExport;
import io.dpuactors.bridge.MemoryMap;
import io.dpuactors.bridge.MemoryOptions;
import io.dpuactors.bridge.Permission;
import io.dpuactors.bridge.ProgressEngine;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** The registered and the imported memory of an engine. Engine's thread. */
public final class EnginePools {
  private final ProgressEngine engine;
  private final List<BufferPool> pools = new ArrayList<>();
  private final List<BufferPool> orphans = new ArrayList<>();

  private final BufferTakers takers = new BufferTakers();
  private final List<Ending> endings = new ArrayList<>();

  /** What is to be done once the fence has passed all requests that were sent before it. */
  private record Ending(Fence fence, Runnable end) {
    boolean endIfSeen() {
      boolean seen = fence.isPassed();
      if (seen) {
        end.run();
      }
      return seen;
    }
  }

  EnginePools(ProgressEngine engine) {
    this.engine = engine;
  }

  /** Registers memory; closed by {@link #close} or with the engine. */
  public BufferPool open(Device device, int count, int bufferBytes, MemoryOptions memory) {
    return added(BufferPool.create(engine, device, count, bufferBytes, memory));
  }

  /** The same with ordinary memory. */
  public BufferPool open(Device device, int count, int bufferBytes, Set<Permission> permissions) {
    return open(device, count, bufferBytes, MemoryOptions.defaults().withPermissions(permissions));
  }

  /** Registers memory of the program's. */
  public BufferPool register(
      Device device, ByteBuffer memory, int count, int bufferBytes, Set<Permission> permissions) {
    MemoryMap map = MemoryMap.over(engine, device, memory, permissions);
    return added(BufferPool.owning(engine, map, count, bufferBytes));
  }

  /** Imports memory; closed by {@link #close} or with the engine. */
  public BufferPool openImport(Device device, MemoryExport export, int leases) {
    return added(BufferPool.imported(engine, device, export, leases));
  }

  /** Leases the memory of an open pool; closed by {@link #close} or with the engine. */
  public BufferPool openWindows(BufferPool pool, int leases) {
    return added(BufferPool.over(engine, pool.memory(), leases));
  }

  private BufferPool added(BufferPool pool) {
    pools.add(pool);
    return pool;
  }

  /** Closes a pool, or throws when buffers are still out. */
  public void close(BufferPool pool) {
    pool.close();
    pools.remove(pool);
    orphans.remove(pool);
  }

  /** Closes a pool as soon as all of its buffers are back; one that is closed already stays so. */
  public void closeWhenBack(BufferPool pool) {
    if (pools.contains(pool)) {
      orphans.add(pool);
    }
  }

  /** Whether it is open, and of this engine. */
  public boolean isOpen(BufferPool pool) {
    return pools.contains(pool);
  }

  /** The actors that take buffers with requests. */
  public BufferTakers takers() {
    return takers;
  }

  /**
   * Returns what is left of the leases of an actor that has ended, as soon as every request that it
   * has sent is where it was sent to.
   */
  public void endWhenSeen(LeaseScope leases) {
    endings.add(new Ending(takers.fence(), leases::end));
  }

  /** Returns the marked leases of an actor that has begun anew, as {@link #endWhenSeen}. */
  public void releaseWhenSeen(LeaseScope leases, LeaseMark before) {
    endings.add(new Ending(takers.fence(), () -> leases.releaseMarked(before)));
  }

  /** One turn of the loop; returns how many pools were closed and scopes ended. */
  int turn() {
    return endScopes() + closeOrphans();
  }

  /** Whether {@link #turn} has nothing to wait for. */
  boolean isAtRest() {
    return endings.isEmpty() && orphans.isEmpty();
  }

  private int endScopes() {
    if (endings.isEmpty()) {
      return 0;
    }
    int before = endings.size();
    endings.removeIf(Ending::endIfSeen);
    return before - endings.size();
  }

  private int closeOrphans() {
    if (orphans.isEmpty()) {
      return 0;
    }
    List<BufferPool> back = orphans.stream().filter(EnginePools::isBack).toList();
    back.forEach(this::close);
    return back.size();
  }

  /** Lends nothing any more: the engine is stopping. */
  public void stopLending() {
    pools.forEach(BufferPool::stopLending);
  }

  /** Whether every lease is back. */
  boolean areBack() {
    return pools.stream().allMatch(EnginePools::isBack);
  }

  private static boolean isBack(BufferPool pool) {
    return pool.available() == pool.capacity();
  }

  /**
   * Closes all of them, the youngest first: what is imported before what it may be imported from.
   *
   * @param contextsLeft whether something may still write to them; then lost leases keep their pool
   *     open
   * @param left gets what could not be closed, for people
   */
  void closeAll(boolean contextsLeft, List<String> left) {
    for (int i = pools.size() - 1; i >= 0; i--) {
      BufferPool pool = pools.get(i);
      EngineCore.attempt(() -> closeWithLosses(pool, contextsLeft), left);
    }
  }

  private static void closeWithLosses(BufferPool pool, boolean contextsLeft) {
    if (contextsLeft) {
      pool.close();
      return;
    }
    int lost = pool.closeAfterLoss();
    if (lost > 0) {
      throw new IllegalStateException(lost + " LEASE lost of " + pool);
    }
  }
}

package io.dpuactors.node;

import io.dpuactors.bridge.BufferPool;
import io.dpuactors.bridge.LeaseMark;
import io.dpuactors.bridge.LeaseScope;
import io.dpuactors.bridge.MemoryExport;
import io.dpuactors.bridge.MemoryOptions;
import io.dpuactors.bridge.Permission;
import io.dpuactors.bridge.RemoteMemory;
import io.dpuactors.bridge.internal.Device;
import io.dpuactors.bridge.internal.MemoryMap;
import io.dpuactors.bridge.internal.ProgressEngine;
import io.dpuactors.bridge.internal.RegisteredPool;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** The registered and imported memory of an engine. Engine's thread. */
public final class EnginePools {
  private final ProgressEngine engine;
  private final List<BufferPool> pools = new ArrayList<>();
  private final List<BufferPool> orphans = new ArrayList<>();

  private final BufferTakers takers = new BufferTakers();
  private final List<Ending> endings = new ArrayList<>();

  /**
   * Actions that run when the marker has passed all requests that were sent before it.
   *
   * @param answer runs after the end, and without it when the engine closes
   */
  private record Ending(MailboxMarker marker, Runnable end, Runnable answer) {
    boolean endIfSeen() {
      boolean seen = marker.isPassed();
      if (seen) {
        end.run();
        answer.run();
      }
      return seen;
    }
  }

  EnginePools(ProgressEngine engine) {
    this.engine = engine;
  }

  /** Registers memory. {@link #close} or the engine closes it. */
  public BufferPool open(Device device, int count, int bufferBytes, MemoryOptions memory) {
    return added(RegisteredPool.create(engine, device, count, bufferBytes, memory));
  }

  /** Registers memory with the default options and the given permissions. */
  public BufferPool open(Device device, int count, int bufferBytes, Set<Permission> permissions) {
    return open(device, count, bufferBytes, MemoryOptions.defaults().withPermissions(permissions));
  }

  /** Registers memory that the program owns. */
  public BufferPool register(
      Device device, ByteBuffer memory, int count, int bufferBytes, Set<Permission> permissions) {
    MemoryMap map = MemoryMap.over(engine, device, memory, permissions);
    return added(RegisteredPool.owning(engine, map, count, bufferBytes));
  }

  /** Imports memory. {@link #close} or the engine closes it. */
  public BufferPool openImport(Device device, MemoryExport export, int leases) {
    return added(RegisteredPool.imported(engine, device, export, leases));
  }

  /** Imports memory of an RDMA peer. {@link #close} or the engine closes it. */
  public BufferPool openImport(Device device, RemoteMemory memory, int leases) {
    return added(RegisteredPool.imported(engine, device, memory, leases));
  }

  /** Leases the memory of an open pool. {@link #close} or the engine closes the new pool. */
  public BufferPool openWindows(BufferPool pool, int leases) {
    return added(RegisteredPool.over(engine, RegisteredPool.mapOf(pool), leases));
  }

  private BufferPool added(BufferPool pool) {
    pools.add(pool);
    return pool;
  }

  /**
   * Closes a pool. Throws IllegalStateException if buffers are still leased, or if windows of
   * {@link #openWindows} use the pool's memory. The pool then stays open.
   */
  public void close(BufferPool pool) {
    if (hasWindows(pool)) {
      throw new IllegalStateException(
          pool + " has open windows: close the pools of its OpenWindows first");
    }
    pool.close();
    pools.remove(pool);
    orphans.remove(pool);
  }

  /** Returns whether other pools use the memory of this pool. The owner of memory opens first. */
  private boolean hasWindows(BufferPool pool) {
    if (!isOpen(pool)) {
      return false;
    }
    MemoryMap map = RegisteredPool.mapOf(pool);
    List<BufferPool> sharing =
        pools.stream().filter(each -> RegisteredPool.mapOf(each) == map).toList();
    return sharing.size() > 1 && sharing.get(0) == pool;
  }

  /**
   * Closes a pool when all its buffers are returned and its windows are closed. Does nothing if the
   * pool is closed already.
   */
  public void closeWhenBack(BufferPool pool) {
    if (pools.contains(pool)) {
      orphans.add(pool);
    }
  }

  /** Returns whether the pool is open and belongs to this engine. */
  public boolean isOpen(BufferPool pool) {
    return pools.contains(pool);
  }

  /** Returns the actors that take buffers with requests. */
  public BufferTakers takers() {
    return takers;
  }

  /**
   * Releases the remaining leases of an actor that has ended, after all its requests have been
   * taken or refused.
   */
  public void endWhenSeen(LeaseScope leases) {
    endings.add(new Ending(takers.sendMarker(), leases::end, () -> {}));
  }

  /**
   * Releases the marked leases of an actor that has restarted, at the same time as {@link
   * #endWhenSeen}.
   *
   * @param answer runs once: after the release, or when the engine closes
   */
  public void releaseWhenSeen(LeaseScope leases, LeaseMark before, Runnable answer) {
    endings.add(new Ending(takers.sendMarker(), () -> leases.releaseMarked(before), answer));
  }

  /** Runs one turn of the loop. Returns the number of closed pools and ended scopes. */
  int turn() {
    return endScopes() + closeOrphans();
  }

  /** Returns whether {@link #turn} waits for nothing. */
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
    List<BufferPool> back =
        orphans.stream().filter(pool -> isBack(pool) && !hasWindows(pool)).toList();
    return (int) back.stream().filter(this::closeOrphan).count();
  }

  /** A failure of the device is reported once. The end of the engine closes such a pool again. */
  private boolean closeOrphan(BufferPool pool) {
    orphans.remove(pool);
    try {
      close(pool);
      return true;
    } catch (IllegalStateException leasedMeanwhile) {
      orphans.add(pool);
      return false;
    }
  }

  /** Refuses new leases, because the engine is stopping. */
  public void stopLending() {
    pools.forEach(BufferPool::stopLending);
  }

  /** Returns whether every lease is returned. */
  boolean areReturned() {
    return pools.stream().allMatch(EnginePools::isBack);
  }

  private static boolean isBack(BufferPool pool) {
    return pool.isClosed() || pool.available() == pool.capacity();
  }

  /**
   * Closes all pools in reverse order of opening, so that imports close before the pools they may
   * come from.
   *
   * @param contextsLeft whether the device may still write; then lost leases keep their pool open
   * @param left receives descriptions of the pools that stay open
   */
  void closeAll(boolean contextsLeft, List<String> left) {
    endings.forEach(ending -> ending.answer().run());
    endings.clear();
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

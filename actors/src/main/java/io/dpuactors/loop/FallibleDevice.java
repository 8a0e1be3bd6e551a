package io.dpuactors.loop;

import java.util.function.LongConsumer;

/**
 * A device that simulations and tests may fail.
 *
 * @param beforeTurn an exception fails the turn
 * @param onWait replaces {@link LoopDevice#await}; an exception fails the wait
 */
record FallibleDevice(LoopDevice device, Runnable beforeTurn, LongConsumer onWait)
    implements LoopDevice {
  @Override
  public void begin(long nowNs) {
    device.begin(nowNs);
  }

  @Override
  public int turn(long nowNs, long pollNs) {
    beforeTurn.run();
    return device.turn(nowNs, pollNs);
  }

  @Override
  public boolean isAtRest() {
    return device.isAtRest();
  }

  @Override
  public long untilDueNs(long mostNs) {
    return device.untilDueNs(mostNs);
  }

  @Override
  public void await(long timeoutNs) {
    onWait.accept(timeoutNs);
  }

  @Override
  public void wake() {
    device.wake();
  }
}

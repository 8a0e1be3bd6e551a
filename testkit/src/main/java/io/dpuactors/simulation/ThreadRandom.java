package io.dpuactors.simulation;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.reflect.Field;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Sets the seed of the calling thread's {@link ThreadLocalRandom}. Pekko draws the numbers of
 * actors and the jitter of restarts from it.
 */
final class ThreadRandom {
  /** Sets the field of a thread. {@code sun.misc.Unsafe} needs no option of the JVM. */
  private static final MethodHandle SET = setter();

  private ThreadRandom() {}

  static void seed(long seed) {
    ThreadLocalRandom.current(); // its first call on a thread would replace the seed
    try {
      SET.invoke(Thread.currentThread(), seed);
    } catch (Throwable e) {
      throw new IllegalStateException("cannot set the seed of ThreadLocalRandom", e);
    }
  }

  private static MethodHandle setter() {
    try {
      Class<?> type = Class.forName("sun.misc.Unsafe");
      Field instance = type.getDeclaredField("theUnsafe");
      instance.setAccessible(true);
      Object unsafe = instance.get(null);
      Field seed = Thread.class.getDeclaredField("threadLocalRandomSeed");
      Object offset = type.getMethod("objectFieldOffset", Field.class).invoke(unsafe, seed);
      MethodHandle put =
          MethodHandles.publicLookup()
              .unreflect(type.getMethod("putLong", Object.class, long.class, long.class))
              .bindTo(unsafe);
      return MethodHandles.insertArguments(put, 1, offset);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }
}

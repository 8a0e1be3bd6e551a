package io.dpuactors.simulation;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.reflect.Field;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Private fields of the JDK that determine the order of a run. {@code sun.misc.Unsafe} needs no
 * option of the JVM. Thread: any.
 */
final class JdkFields {
  private static final Object UNSAFE = unsafe();
  private static final MethodHandle SET_SEED = seedSetter();

  private JdkFields() {}

  /**
   * Sets the seed of the calling thread's {@link ThreadLocalRandom}. Pekko draws the numbers of
   * actors and the jitter of restarts from it.
   */
  static void seedThreadRandom(long seed) {
    ThreadLocalRandom.current(); // its first call on a thread would replace the seed
    try {
      SET_SEED.invoke(Thread.currentThread(), seed);
    } catch (Throwable e) {
      throw new IllegalStateException("cannot set the seed of ThreadLocalRandom", e);
    }
  }

  /**
   * Replaces the executor of {@link CompletableFuture}'s methods without one, by default the common
   * pool. Results of an ask use it.
   */
  static void defaultExecutor(Executor executor) {
    try {
      Field field = CompletableFuture.class.getDeclaredField("ASYNC_POOL");
      if (!field.getType().isInstance(executor)) {
        // The JVM does not check the type, and would crash.
        throw new IllegalStateException("CompletableFuture's executor is a " + field.getType());
      }
      Class<?> type = UNSAFE.getClass();
      Object base = type.getMethod("staticFieldBase", Field.class).invoke(UNSAFE, field);
      Object offset = type.getMethod("staticFieldOffset", Field.class).invoke(UNSAFE, field);
      type.getMethod("putObjectVolatile", Object.class, long.class, Object.class)
          .invoke(UNSAFE, base, offset, executor);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("cannot replace CompletableFuture's executor", e);
    }
  }

  private static Object unsafe() {
    try {
      Field instance = Class.forName("sun.misc.Unsafe").getDeclaredField("theUnsafe");
      instance.setAccessible(true);
      return instance.get(null);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private static MethodHandle seedSetter() {
    try {
      Class<?> type = UNSAFE.getClass();
      Field seed = Thread.class.getDeclaredField("threadLocalRandomSeed");
      Object offset = type.getMethod("objectFieldOffset", Field.class).invoke(UNSAFE, seed);
      MethodHandle put =
          MethodHandles.publicLookup()
              .unreflect(type.getMethod("putLong", Object.class, long.class, long.class))
              .bindTo(UNSAFE);
      return MethodHandles.insertArguments(put, 1, offset);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }
}

package io.dpuactors.bridge.internal;

import static java.util.Collections.nCopies;

import io.dpuactors.bridge.Buffer;
import io.dpuactors.bridge.BufferPool;
import io.dpuactors.bridge.TaskBatch;

/**
 * Creates a batch that needs 640 KB of direct memory. Tests run it in a separate process with a
 * smaller limit.
 */
public final class CreateLargeBatch {
  private static final int TASKS = 8000;

  private CreateLargeBatch() {}

  /** Prints whether the buffers are lent after the failure, and releases them. */
  public static void main(String[] arguments) {
    try (Rig rig = new Rig()) {
      BufferPool pool = rig.pool(2, 64);
      Buffer src = Rig.lease(pool);
      Buffer dst = Rig.lease(pool);
      try {
        TaskBatch.of(nCopies(TASKS, src), nCopies(TASKS, dst));
      } catch (OutOfMemoryError e) {
        System.out.println("lent=" + (src.isLent() || dst.isLent()));
      }
      src.release();
      dst.release();
    }
  }
}

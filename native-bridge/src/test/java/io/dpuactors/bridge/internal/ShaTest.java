package io.dpuactors.bridge.internal;

import static io.dpuactors.bridge.TaskKind.SHA_HASH;
import static org.assertj.core.api.Assertions.assertThat;

import io.dpuactors.bridge.Buffer;
import io.dpuactors.bridge.BufferPool;
import io.dpuactors.bridge.DocaCode;
import io.dpuactors.bridge.TaskLibrary;
import io.dpuactors.bridge.internal.Rig.Answer;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests hashes through the whole boundary: rings, bridge, software DPU. */
class ShaTest {
  private static final List<String> ALGORITHMS = List.of("SHA-1", "SHA-256", "SHA-512");

  private final Rig rig = new Rig();
  private final BufferPool pool = rig.pool(12, 256);

  @AfterEach
  void end() {
    rig.close();
  }

  private DocaContext sha(int numTasks) {
    DocaContext context = TaskFunctions.of(TaskLibrary.SHA).create(rig.engine, rig.device, 0);
    rig.add(context, numTasks, SHA_HASH);
    assertThat(context.start()).isEqualTo(DocaCode.SUCCESS);
    return context;
  }

  /** The only task of the context is used again, so its setters run. */
  @Test
  void aTaskIsUsedAgainForAnotherAlgorithmAndOtherBuffers() throws GeneralSecurityException {
    DocaContext context = sha(1);
    for (int round = 0; round < 9; round++) {
      int algorithm = round % ALGORITHMS.size();
      Buffer src = Rig.lease(pool, Inputs.random(1 + 20 * round));
      Buffer dst = Rig.lease(pool);
      Answer answer = rig.run(context, SHA_HASH, src, dst, algorithm);

      byte[] digest = MessageDigest.getInstance(ALGORITHMS.get(algorithm)).digest(Rig.content(src));
      assertThat(answer.type()).isEqualTo(RecordType.TASK_DONE);
      assertThat(answer.produced()).isEqualTo(digest.length);
      assertThat(answer.checksum0()).isZero();
      dst.length(digest.length);
      assertThat(Rig.content(dst)).isEqualTo(digest);
      src.release();
      dst.release();
    }
  }

  /** DOCA counts these tasks in powers of two. */
  @Test
  void fiveTasksAreInFlightWhenFiveAreConfigured() {
    DocaContext context = sha(5);
    Rig.SOFT_DPU.faults("sha-hash:delay=20ms");
    List<Buffer> buffers = new ArrayList<>();
    List<Long> tasks = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      Buffer src = Rig.lease(pool, Inputs.random(10));
      Buffer dst = Rig.lease(pool);
      buffers.addAll(List.of(src, dst));
      tasks.add(rig.offer(context, SHA_HASH, src, dst, 0));
    }

    assertThat(rig.await(tasks.get(5)).code()).isEqualTo(DocaCode.NO_MEMORY);
    for (Long task : tasks.subList(0, 5)) {
      assertThat(rig.await(task).type()).isEqualTo(RecordType.TASK_DONE);
    }
    buffers.forEach(Buffer::release);
  }

  /** The first task of each pair is new, the second one is used again. */
  @Test
  void anUnknownAlgorithmIsRefusedAndTheContextContinues() {
    DocaContext context = sha(1);
    Buffer src = Rig.lease(pool, Inputs.random(10));
    Buffer dst = Rig.lease(pool);
    for (long unknown : new long[] {3, -1, 1L << 32}) {
      Answer fresh = rig.run(context, SHA_HASH, src, dst, unknown);
      assertThat(fresh.type()).isEqualTo(RecordType.REFUSED);
      assertThat(fresh.code()).isEqualTo(DocaCode.INVALID_VALUE);
      assertThat(rig.run(context, SHA_HASH, src, dst, 1).type()).isEqualTo(RecordType.TASK_DONE);
      Answer used = rig.run(context, SHA_HASH, src, dst, unknown);
      assertThat(used.code()).isEqualTo(DocaCode.INVALID_VALUE);
      assertThat(rig.run(context, SHA_HASH, src, dst, 1).type()).isEqualTo(RecordType.TASK_DONE);
    }
    src.release();
    dst.release();
  }
}

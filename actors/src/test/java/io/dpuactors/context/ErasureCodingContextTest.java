package io.dpuactors.context;

import static io.dpuactors.testing.RunningSystem.buffer;
import static io.dpuactors.testing.RunningSystem.releaseBuffers;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dpuactors.bridge.Buffer;
import io.dpuactors.bridge.BufferPool;
import io.dpuactors.bridge.DocaCode;
import io.dpuactors.bridge.DocaError;
import io.dpuactors.bridge.TaskKind;
import io.dpuactors.protocol.EngineProtocol;
import io.dpuactors.protocol.ErasureCodingProtocol;
import io.dpuactors.protocol.ErasureCodingProtocol.Create;
import io.dpuactors.protocol.ErasureCodingProtocol.CreateMatrix;
import io.dpuactors.protocol.ErasureCodingProtocol.Definition;
import io.dpuactors.protocol.ErasureCodingProtocol.Matrix;
import io.dpuactors.protocol.ErasureCodingProtocol.MatrixCreated;
import io.dpuactors.protocol.ErasureCodingProtocol.MatrixRefused;
import io.dpuactors.protocol.ErasureCodingProtocol.MatrixReply;
import io.dpuactors.protocol.ErasureCodingProtocol.Recover;
import io.dpuactors.protocol.ErasureCodingProtocol.Update;
import io.dpuactors.protocol.TaskOptions;
import io.dpuactors.protocol.TaskReply;
import io.dpuactors.protocol.TaskReply.Completed;
import io.dpuactors.protocol.TaskReply.Failed;
import io.dpuactors.protocol.TaskRequest;
import io.dpuactors.testing.CleanLog;
import io.dpuactors.testing.FreshSoftDpu;
import io.dpuactors.testing.RunningSystem;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.apache.pekko.actor.testkit.typed.javadsl.TestProbe;
import org.apache.pekko.actor.typed.ActorRef;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the erasure coding context through its public protocol. */
@ExtendWith({CleanLog.class, FreshSoftDpu.class})
class ErasureCodingContextTest {
  private static final int DATA = 4;
  private static final int REDUNDANCY = 2;

  /** Every set of two missing blocks of six is recovered. */
  @ParameterizedTest
  @ValueSource(ints = {64, 4096})
  void everyPairOfMissingBlocksIsRecovered(int blockBytes) {
    try (Rig rig = new Rig()) {
      Matrix coding = rig.matrix(new Definition.Cauchy(DATA, REDUNDANCY));
      byte[][] blocks = rig.encode(coding, random(DATA, blockBytes));
      for (int first = 0; first < blocks.length; first++) {
        for (int second = first + 1; second < blocks.length; second++) {
          List<Integer> missing = List.of(first, second);
          Matrix recovery = rig.matrix(new Definition.Recovery(coding, missing));
          byte[] source = join(available(blocks, missing));
          byte[] recovered =
              rig.run((src, dst, replyTo) -> new Recover(recovery, src, dst, 1, replyTo), source);
          assertThat(recovered)
              .as("%s", missing)
              .isEqualTo(join(List.of(blocks[first], blocks[second])));
        }
      }
    }
  }

  /** The first row of a Vandermonde matrix has ones only: its redundancy block is the parity. */
  @Test
  void theFirstRedundancyBlockOfAVandermondeMatrixIsTheParity() {
    try (Rig rig = new Rig()) {
      Matrix coding = rig.matrix(new Definition.Vandermonde(DATA, REDUNDANCY));
      byte[][] blocks = rig.encode(coding, random(DATA, 128));
      assertThat(blocks[DATA]).isEqualTo(parity(blocks));
    }
  }

  @Test
  void aMatrixOfOnesComputesTheParity() {
    try (Rig rig = new Rig()) {
      Matrix coding = rig.matrix(new Definition.Custom(new byte[] {1, 1, 1, 1}, DATA, 1));
      byte[][] blocks = rig.encode(coding, random(DATA, 192));
      assertThat(blocks[DATA]).isEqualTo(parity(blocks));
    }
  }

  /** An update with old and new blocks gives the same redundancy as the new data. */
  @Test
  void anUpdateGivesTheRedundancyOfTheNewData() {
    try (Rig rig = new Rig()) {
      Matrix coding = rig.matrix(new Definition.Cauchy(DATA, REDUNDANCY));
      byte[][] old = rig.encode(coding, random(DATA, 256));
      byte[][] changed = Arrays.copyOf(old, DATA);
      changed[1] = random(1, 256)[0].clone();
      changed[3] = new byte[256];
      byte[][] expected = rig.encode(coding, changed);
      Matrix change = rig.matrix(new Definition.Change(coding, List.of(1, 3)));
      byte[] source =
          join(List.of(old[1], changed[1], old[3], changed[3], old[DATA], old[DATA + 1]));
      byte[] redundancy =
          rig.run((src, dst, replyTo) -> new Update(change, src, dst, 1, replyTo), source);
      assertThat(redundancy).isEqualTo(join(List.of(expected[DATA], expected[DATA + 1])));
    }
  }

  @Test
  void impossibleTasksAreRefusedWithTheReason() {
    try (Rig rig = new Rig()) {
      Matrix coding = rig.matrix(new Definition.Cauchy(DATA, REDUNDANCY));
      Failed failed =
          rig.failed(
              (src, dst, replyTo) -> new Create(coding, src, dst, 1, replyTo), new byte[100]);
      assertThat(failed.code()).isEqualTo(DocaCode.INVALID_VALUE);
      assertThat(failed.error().about())
          .contains("100 bytes are not 4 blocks of a multiple of 64 bytes");
      failed =
          rig.failed(
              (src, dst, replyTo) -> new Recover(coding, src, dst, 1, replyTo), new byte[256]);
      assertThat(failed.error().about()).contains("the matrix serves EC_CREATE tasks");
    }
  }

  @Test
  void impossibleMatricesAreRefused() {
    try (Rig rig = new Rig()) {
      assertThat(rig.refused(new Definition.Cauchy(200, 100)).about()).isNotEmpty();
      Matrix coding = rig.matrix(new Definition.Cauchy(DATA, REDUNDANCY));
      for (List<Integer> missing : List.of(List.of(2, 1), List.of(6), List.of(0, 1, 2))) {
        assertThat(rig.refused(new Definition.Recovery(coding, missing)).code())
            .isEqualTo(DocaCode.INVALID_VALUE);
      }
      assertThatThrownBy(() -> new Definition.Custom(new byte[3], 2, 2))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage("3 coefficients for 2 data and 2 redundancy blocks");
    }
  }

  @Test
  void aMatrixDefinesItsBlocks() {
    try (Rig rig = new Rig()) {
      Matrix coding = rig.matrix(new Definition.Cauchy(DATA, REDUNDANCY));
      assertThat(coding.kind()).isEqualTo(TaskKind.EC_CREATE);
      assertThat(List.of(coding.inputs(), coding.outputs())).isEqualTo(List.of(4, 2));
      Matrix change = rig.matrix(new Definition.Change(coding, List.of(0)));
      assertThat(change.kind()).isEqualTo(TaskKind.EC_UPDATE);
      assertThat(List.of(change.inputs(), change.outputs())).isEqualTo(List.of(4, 2));
      Matrix recovery = rig.matrix(new Definition.Recovery(coding, List.of(5)));
      assertThat(recovery.kind()).isEqualTo(TaskKind.EC_RECOVER);
      assertThat(List.of(recovery.inputs(), recovery.outputs())).isEqualTo(List.of(4, 1));
    }
  }

  /** A program may change its arrays and lists at once. */
  @Test
  void aDefinitionIsThatOfTheTimeOfTheCall() {
    try (Rig rig = new Rig()) {
      byte[] ones = {1, 1, 1, 1};
      Definition.Custom definition = new Definition.Custom(ones, DATA, 1);
      ones[0] = 2;
      definition.coefficients()[1] = 2;
      Matrix coding = rig.matrix(definition);
      byte[][] blocks = rig.encode(coding, random(DATA, 64));
      assertThat(blocks[DATA]).isEqualTo(parity(blocks));
      List<Integer> indices = new ArrayList<>(List.of(0));
      Definition recovery = new Definition.Recovery(coding, indices);
      Definition change = new Definition.Change(coding, indices);
      indices.add(1);
      assertThat(rig.matrix(recovery).outputs()).isEqualTo(1);
      assertThat(rig.matrix(change).inputs()).isEqualTo(2 + 1);
    }
  }

  private static byte[][] random(int count, int bytes) {
    Random random = new Random(count + bytes);
    byte[][] blocks = new byte[count][bytes];
    for (byte[] block : blocks) {
      random.nextBytes(block);
    }
    return blocks;
  }

  private static byte[] parity(byte[][] blocks) {
    byte[] parity = new byte[blocks[0].length];
    for (int block = 0; block < DATA; block++) {
      for (int i = 0; i < parity.length; i++) {
        parity[i] ^= blocks[block][i];
      }
    }
    return parity;
  }

  /** Returns the first blocks that are not missing, as many as there are data blocks. */
  private static List<byte[]> available(byte[][] blocks, List<Integer> missing) {
    List<byte[]> available = new ArrayList<>();
    for (int i = 0; available.size() < DATA; i++) {
      if (!missing.contains(i)) {
        available.add(blocks[i]);
      }
    }
    return available;
  }

  private static byte[] join(List<byte[]> blocks) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    blocks.forEach(all::writeBytes);
    return all.toByteArray();
  }

  private interface Task {
    TaskRequest of(Buffer src, Buffer dst, ActorRef<TaskReply> replyTo);
  }

  /** A context with memory; its engine has an empty census at the end. */
  private static final class Rig implements AutoCloseable {
    private final RunningSystem system = RunningSystem.create();
    private final TestProbe<MatrixReply> matrices = system.kit.createTestProbe();
    private final TestProbe<TaskReply> replies = system.kit.createTestProbe();
    private final BufferPool pool = system.pool(2, 32768);
    private final ActorRef<ErasureCodingProtocol.Command> context;

    Rig() {
      TestProbe<ErasureCodingProtocol.OpenReply> opened = system.kit.createTestProbe();
      system.engine.tell(
          new EngineProtocol.OpenErasureCoding("ec", TaskOptions.defaults(), opened.getRef()));
      context = ((ErasureCodingProtocol.Opened) opened.receiveMessage()).context();
    }

    Matrix matrix(Definition definition) {
      context.tell(new CreateMatrix(definition, matrices.getRef()));
      return ((MatrixCreated) matrices.receiveMessage()).matrix();
    }

    DocaError refused(Definition definition) {
      context.tell(new CreateMatrix(definition, matrices.getRef()));
      return ((MatrixRefused) matrices.receiveMessage()).error();
    }

    /** Returns the data blocks and the redundancy blocks behind them. */
    byte[][] encode(Matrix coding, byte[][] data) {
      byte[] source = join(List.of(data));
      byte[] redundancy =
          run((src, dst, replyTo) -> new Create(coding, src, dst, 1, replyTo), source);
      int bytes = data[0].length;
      assertThat(redundancy).hasSize(coding.outputs() * bytes);
      byte[][] all = Arrays.copyOf(data, data.length + coding.outputs());
      for (int i = 0; i < coding.outputs(); i++) {
        all[data.length + i] = Arrays.copyOfRange(redundancy, i * bytes, (i + 1) * bytes);
      }
      return all;
    }

    byte[] run(Task task, byte[] source) {
      send(task, source);
      Completed done = (Completed) replies.receiveMessage();
      byte[] content = new byte[done.dst().length()];
      done.dst().bytes().get(0, content);
      releaseBuffers(done);
      return content;
    }

    Failed failed(Task task, byte[] source) {
      send(task, source);
      Failed failed = (Failed) replies.receiveMessage();
      releaseBuffers(failed);
      return failed;
    }

    private void send(Task task, byte[] source) {
      TaskRequest request = task.of(buffer(pool, source), buffer(pool), replies.getRef());
      context.tell((ErasureCodingProtocol.Command) request);
    }

    @Override
    public void close() {
      assertThat(system.stopEngine().census()).isEqualTo("empty");
      system.close();
    }
  }
}

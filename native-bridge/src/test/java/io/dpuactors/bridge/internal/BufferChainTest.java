package io.dpuactors.bridge.internal;

import static io.dpuactors.bridge.Permission.LOCAL_READ_WRITE;
import static io.dpuactors.bridge.Permission.PCI_READ_WRITE;
import static io.dpuactors.bridge.TaskKind.DMA_MEMCPY;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dpuactors.bridge.Buffer;
import io.dpuactors.bridge.BufferPool;
import io.dpuactors.bridge.DocaCode;
import io.dpuactors.bridge.LeaseScope;
import io.dpuactors.bridge.TaskKind;
import io.dpuactors.bridge.TaskLibrary;
import io.dpuactors.bridge.WrongThreadException;
import io.dpuactors.bridge.internal.Rig.Answer;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests scatter and gather: a chain of leases as one source or one destination. */
class BufferChainTest {
  private static final int WINDOW = 1000;
  private static final int BUFFERS = 160;

  private final Rig rig = new Rig();
  private final BufferPool pool = rig.pool(BUFFERS, WINDOW);

  @AfterEach
  void end() {
    assertThat(pool.available()).isEqualTo(BUFFERS);
    rig.close();
  }

  /** Returns a chain whose windows hold these bytes, in pieces of nearly equal size. */
  private Buffer source(byte[] content, int pieces) {
    Buffer head = null;
    for (int i = 0; i < pieces; i++) {
      int from = content.length * i / pieces;
      int to = content.length * (i + 1) / pieces;
      Buffer piece = Rig.lease(pool, Arrays.copyOfRange(content, from, to));
      if (head == null) {
        head = piece;
      } else {
        head.append(piece);
      }
    }
    return java.util.Objects.requireNonNull(head);
  }

  private Buffer room(int pieces) {
    Buffer head = Rig.lease(pool);
    for (int i = 1; i < pieces; i++) {
      head.append(Rig.lease(pool));
    }
    return head;
  }

  private static byte[] content(Buffer head) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    all.writeBytes(Rig.content(head));
    head.following().forEach(each -> all.writeBytes(Rig.content(each)));
    return all.toByteArray();
  }

  private Answer copy(DocaContext context, Buffer src, Buffer dst) {
    assertThat(src.lend()).isTrue();
    assertThat(dst.lend()).isTrue();
    Answer answer = rig.run(context, DMA_MEMCPY, src, dst, 0);
    if (answer.type() == RecordType.TASK_DONE) {
      dst.written(answer.produced());
    }
    src.returnLoan();
    dst.returnLoan();
    return answer;
  }

  @ParameterizedTest
  @CsvSource({"1, 1", "2, 1", "1, 2", "3, 4", "16, 16", "7, 15", "16, 1"})
  void chainsAreCutAtEachOthersBorders(int srcPieces, int dstPieces) {
    DocaContext context = rig.dma(2);
    byte[] bytes = Inputs.random(Math.min(srcPieces, dstPieces) * WINDOW - 3);
    Buffer src = source(bytes, srcPieces);
    Buffer dst = room(dstPieces);
    for (int round = 0; round < 3; round++) {
      assertThat(copy(context, src, dst).code()).isEqualTo(DocaCode.SUCCESS);
      assertThat(content(dst)).isEqualTo(bytes);
      assertThat(dst.totalLength()).isEqualTo(src.totalLength()).isEqualTo(bytes.length);
    }
    assertThat(dst.elements()).isEqualTo(dstPieces);
    assertThat(dst.totalCapacity()).isEqualTo((long) dstPieces * WINDOW);
    src.release();
    dst.release();
  }

  @Test
  void aChainOfImportedPiecesIsGatheredAndScattered() {
    DocaContext context = rig.dma(2);
    try (Device host = Device.open(rig.engine, "81:00.0");
        BufferPool shared =
            RegisteredPool.create(
                rig.engine, host, 1, 8 * WINDOW, Set.of(LOCAL_READ_WRITE, PCI_READ_WRITE));
        BufferPool remote = RegisteredPool.imported(rig.engine, rig.device, shared.export(), 4)) {
      Buffer there = Rig.lease(shared, Inputs.random(8 * WINDOW));
      byte[] before = Rig.content(there);
      Buffer far = aimed(remote, 6, 2, 4);
      Buffer near = room(3);
      assertThat(copy(context, far, near).code()).isEqualTo(DocaCode.SUCCESS);
      ByteArrayOutputStream expected = new ByteArrayOutputStream();
      for (int block : new int[] {6, 2, 4}) {
        expected.write(before, block * WINDOW, WINDOW);
      }
      assertThat(content(near)).isEqualTo(expected.toByteArray());
      near.bytes().put(0, (byte) (near.bytes().get(0) + 1));
      assertThat(copy(context, near, far).code()).isEqualTo(DocaCode.SUCCESS);
      before[6 * WINDOW]++;
      assertThat(Rig.content(there)).isEqualTo(before);
      far.release();
      near.release();
      there.release();
    }
  }

  private static Buffer aimed(BufferPool remote, int... blocks) {
    List<Buffer> pieces = new ArrayList<>();
    for (int block : blocks) {
      Buffer piece = Rig.lease(remote);
      piece.aim((long) block * WINDOW, WINDOW);
      pieces.add(piece);
    }
    pieces.subList(1, pieces.size()).forEach(pieces.get(0)::append);
    return pieces.get(0);
  }

  /** Without this limit a device writes behind the pieces, into other memory of the exporter. */
  @Test
  void notAByteBeyondThePiecesIsWritten() {
    DocaContext context = rig.dma(1);
    try (Device host = Device.open(rig.engine, "81:00.0");
        BufferPool shared =
            RegisteredPool.create(
                rig.engine, host, 1, 8 * WINDOW, Set.of(LOCAL_READ_WRITE, PCI_READ_WRITE));
        BufferPool remote = RegisteredPool.imported(rig.engine, rig.device, shared.export(), 3)) {
      Buffer there = Rig.lease(shared, new byte[8 * WINDOW]);
      Buffer far = aimed(remote, 1, 5);
      far.append(Rig.lease(remote)); // no target, so no capacity
      assertThat(far.totalCapacity()).isEqualTo(2 * WINDOW);
      Buffer near = source(Inputs.random(2 * WINDOW + 1), 3);
      assertThat(copy(context, near, far).code()).isEqualTo(DocaCode.IO_FAILED);
      assertThat(Rig.content(there)).containsOnly(0);
      rig.until(() -> context.state() == ContextState.IDLE);
      far.release();
      near.release();
      there.release();
    }
  }

  @Test
  void aListLongerThanTheDeviceTakesFails() {
    int limit = rig.device.capabilities(TaskLibrary.DMA).of(TaskKind.DMA_MEMCPY).maxListLength();
    assertThat(limit).isGreaterThan(1).isLessThan(BUFFERS);
    DocaContext context = rig.dma(2);
    Buffer src = source(Inputs.random(limit + 1), limit + 1);
    Buffer dst = room(1);
    assertThat(copy(context, src, dst).code()).isEqualTo(DocaCode.IO_FAILED);
    rig.until(() -> context.state() == ContextState.IDLE);
    rig.end(context);
    src.release();
    dst.release();
  }

  @Test
  void aChainIsLentAndReturnedAsOneUnit() {
    Buffer head = room(3);
    Buffer second = head.following().get(0);
    assertThat(second.isBehindAnother()).isTrue();
    assertThat(head.isBehindAnother()).isFalse();
    assertThatThrownBy(second::release)
        .hasMessage("release: " + second + " is chained behind " + head);
    assertThatThrownBy(second::lend).hasMessageContaining("is chained behind");
    assertThatThrownBy(second::handOver).hasMessageContaining("is in a chain");
    assertThat(head.lend()).isTrue();
    assertThat(second.isLent()).isTrue();
    assertThatThrownBy(head::unchain).hasMessageContaining("is lent to a context");
    assertThatThrownBy(() -> head.append(head)).hasMessageContaining("is lent to a context");
    head.returnLoan();
    head.release();
    assertThat(second.isLeased()).isFalse();
    assertThat(pool.available()).isEqualTo(BUFFERS);
  }

  @Test
  void aDismantledChainIsReturnedPieceByPiece() {
    Buffer head = room(3);
    List<Buffer> behind = head.following();
    head.unchain();
    assertThat(head.elements()).isEqualTo(1);
    behind.forEach(Buffer::release);
    assertThat(head.isLeased()).isTrue();
    head.release();
  }

  @Test
  void onlyLooseLeasesAreAppendedToHeads() {
    Buffer head = room(2);
    Buffer other = room(2);
    Buffer loose = room(1);
    assertThatThrownBy(() -> head.append(head)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> head.append(other)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> head.append(other.following().get(0)))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> head.following().get(0).append(loose))
        .isInstanceOf(IllegalArgumentException.class);
    loose.release();
    assertThatThrownBy(() -> head.append(loose)).hasMessageContaining("is not leased");
    head.release();
    other.release();
  }

  /**
   * The end of a scope returns its piece, and another holder leases it. The chain must neither use
   * nor return this piece.
   */
  @Test
  void aPieceThatItsScopeReturnedIsNotReleasedAgain() {
    LeaseScope scope = pool.scope("holder of the piece");
    Buffer head = Rig.lease(pool);
    Buffer piece = java.util.Objects.requireNonNull(scope.lease());
    Buffer last = Rig.lease(pool);
    head.append(piece);
    head.append(last);
    scope.end();
    assertThat(head.totalLength()).isZero();
    List<Buffer> all = new ArrayList<>();
    for (Buffer next = pool.lease(); next != null; next = pool.lease()) {
      all.add(next);
    }
    assertThat(all).contains(piece).doesNotContain(head, last);
    assertThat(head.lend()).isFalse();
    assertThat(last.isLent()).isFalse();
    head.release();
    assertThat(piece.isLeased()).isTrue();
    assertThat(last.isLeased()).isFalse();
    all.forEach(Buffer::release);
  }

  @Test
  void aChainReleasedAfterItsTasksReturnsWithTheTask() {
    Buffer head = room(4);
    assertThat(head.lend()).isTrue();
    head.releaseAfterTasks();
    assertThat(pool.available()).isEqualTo(BUFFERS - 4);
    head.returnLoan();
    assertThat(pool.available()).isEqualTo(BUFFERS);
    Buffer again = room(4);
    again.releaseAfterTasks();
    assertThat(pool.available()).isEqualTo(BUFFERS);
  }

  @Test
  void aChainThatIsNotLentIsNotOffered() {
    DocaContext context = rig.dma(1);
    Buffer src = source(Inputs.random(100), 2);
    Buffer dst = room(1);
    assertThatThrownBy(() -> rig.offer(context, DMA_MEMCPY, src, dst, 0))
        .hasMessage("offer: the chain of " + src + " is not lent");
    assertThatThrownBy(() -> rig.offer(context, DMA_MEMCPY, src.following().get(0), dst, 0))
        .hasMessageContaining("is chained behind");
    src.release();
    dst.release();
  }

  @Test
  void chainsAreLentOnTheEnginesThread() {
    Buffer head = room(2);
    assertThat(OnThread.run("other", head::lend)).isInstanceOf(WrongThreadException.class);
    assertThat(head.isLent()).isFalse();
    head.release();
  }
}

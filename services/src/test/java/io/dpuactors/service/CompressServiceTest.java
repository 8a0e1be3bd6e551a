package io.dpuactors.service;

import static org.assertj.core.api.Assertions.assertThat;

import io.dpuactors.bridge.Buffer;
import io.dpuactors.bridge.DocaCode;
import io.dpuactors.bridge.TaskCapabilities;
import io.dpuactors.protocol.CompressProtocol;
import io.dpuactors.protocol.CompressProtocol.Deflate;
import io.dpuactors.protocol.CompressProtocol.Inflate;
import io.dpuactors.protocol.ConnectionProtocol;
import io.dpuactors.protocol.ConnectionProtocol.ReceiveMessage;
import io.dpuactors.protocol.ConnectionProtocol.ReceiveReply;
import io.dpuactors.protocol.ConnectionProtocol.Received;
import io.dpuactors.protocol.ConnectionProtocol.Send;
import io.dpuactors.protocol.Stop;
import io.dpuactors.protocol.TaskReply;
import io.dpuactors.service.CompressService.Limits;
import io.dpuactors.service.RemoteCompress.Finish;
import io.dpuactors.service.RemoteCompress.Ready;
import io.dpuactors.testing.BlockPoint;
import io.dpuactors.testing.CleanLog;
import io.dpuactors.testing.ExpectedLog;
import io.dpuactors.testing.FreshSoftDpu;
import io.dpuactors.testing.RunningSystem;
import io.dpuactors.wire.CompressMessage;
import io.dpuactors.wire.CompressMessage.End;
import io.dpuactors.wire.CompressMessage.Failed;
import io.dpuactors.wire.CompressMessage.Hello;
import io.dpuactors.wire.CompressMessage.Reason;
import io.dpuactors.wire.CompressMessage.Summary;
import io.dpuactors.wire.CompressMessage.Welcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import java.util.zip.Deflater;
import org.apache.pekko.actor.testkit.typed.javadsl.TestProbe;
import org.apache.pekko.actor.typed.ActorRef;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests blocks that the DPU side deflates, and clients and faults that disturb the service. */
@ExtendWith({CleanLog.class, FreshSoftDpu.class})
class CompressServiceTest {
  private static final Limits LIMITS = new Limits(10_000, 3, 1 << 20, Duration.ofSeconds(30));

  private static ServiceRig serve(Limits limits) {
    ServiceRig rig = new ServiceRig();
    rig.serveBySessions(rig.compressSessions(limits));
    return rig;
  }

  @Test
  void blocksReturnDeflatedInOrder() throws Exception {
    try (ServiceRig rig = serve(LIMITS)) {
      CompressClient client = CompressClient.connect(rig, new Hello(1 << 20, 8));
      Ready open = client.ready();
      assertThat(open.sources().bufferBytes()).as("the server grants less").isEqualTo(10_000);
      assertThat(open.sources().capacity()).isEqualTo(3);
      client.deflate(open, 100);
      client.remote().tell(Finish.INSTANCE);
      assertThat(client.failure()).isEqualTo("none");
      rig.stop();
    }
  }

  /** The device completes some blocks long after their successors. */
  @Test
  void theOrderIsKeptUnderAllFaultsOfTheDevice() throws Exception {
    try (ServiceRig rig = serve(LIMITS)) {
      FreshSoftDpu.DEVICE.faults("compress-deflate:delay=3ms:every=3");
      CompressClient client = CompressClient.connect(rig, new Hello(5000, 3));
      client.deflate(client.ready(), 60);
      client.remote().tell(Finish.INSTANCE);
      assertThat(client.failure()).isEqualTo("none");
      rig.stop();
    }
  }

  @Test
  void anEmptyStreamIsAStream() throws Exception {
    try (ServiceRig rig = serve(LIMITS)) {
      CompressClient client = CompressClient.connect(rig, new Hello(1, 1));
      client.ready();
      client.remote().tell(Finish.INSTANCE);
      assertThat(client.failure()).isEqualTo("none");
      rig.stop();
    }
  }

  @Test
  void manyClientsAtOnceAreServedAlike() throws Exception {
    try (ServiceRig rig = serve(LIMITS)) {
      List<CompressClient> clients = new ArrayList<>();
      List<Ready> open = new ArrayList<>();
      for (int i = 0; i < 8; i++) {
        clients.add(CompressClient.connect(rig, new Hello(2000 + i, 2)));
        open.add(clients.get(i).ready());
      }
      for (int round = 0; round < 10; round++) {
        for (int i = 0; i < 8; i++) {
          clients.get(i).deflate(open.get(i), 3);
        }
      }
      clients.forEach(client -> client.remote().tell(Finish.INSTANCE));
      clients.forEach(client -> assertThat(client.failure()).isEqualTo("none"));
      rig.stop();
    }
  }

  @Test
  @ExpectedLog("no memory left")
  void whenTheMemoryIsUsedUpOthersComeLater() throws Exception {
    Limits tight = new Limits(10_000, 3, 70_000, Duration.ofSeconds(30));
    try (ServiceRig rig = serve(tight)) {
      CompressClient first = CompressClient.connect(rig, new Hello(10_000, 3));
      Ready open = first.ready();
      assertThat(CompressClient.connect(rig, new Hello(10_000, 3)).failure())
          .contains("no memory left for another client");
      first.deflate(open, 5);
      first.remote().tell(Finish.INSTANCE);
      assertThat(first.failure()).isEqualTo("none");
      rig.stop();
    }
  }

  @Test
  @ExpectedLog("block 4: ")
  void aDeviceThatFailsEndsThisStreamAndNoOther() throws Exception {
    try (ServiceRig rig = serve(LIMITS)) {
      CompressClient other = CompressClient.connect(rig, new Hello(1000, 1));
      Ready open = other.ready();
      CompressClient client = CompressClient.connect(rig, new Hello(1000, 3));
      FreshSoftDpu.DEVICE.faults("compress-deflate:fail=IO_FAILED:nth=5");
      Ready broken = client.ready();
      client.deflate(broken, 4);
      client.send(broken, 4);
      TaskReply.Failed failed = (TaskReply.Failed) client.replies().receiveMessage();
      assertThat(failed.error().toString()).contains("block 4", "DOCA_ERROR_IO_FAILED");
      failed.src().release();
      failed.dst().release();
      assertThat(client.failure()).contains("the server reports: block 4");
      FreshSoftDpu.DEVICE.clearFaults();
      other.deflate(open, 10);
      other.remote().tell(Finish.INSTANCE);
      assertThat(other.failure()).isEqualTo("none");
      rig.stop();
    }
  }

  /** The client stops in the middle of its stream, with requests in flight. */
  @Test
  void aClientThatLeavesTakesNothingWithIt() throws Exception {
    try (ServiceRig rig = serve(LIMITS)) {
      FreshSoftDpu.DEVICE.faults("compress-deflate:delay=5ms");
      for (int round = 0; round < 5; round++) {
        CompressClient client = CompressClient.connect(rig, new Hello(1000, 3));
        Ready open = client.ready();
        for (int i = 0; i < 3; i++) {
          client.send(open, i);
        }
        client.connection().tell(new Stop());
        client.releaseBuffers(3);
        assertThat(client.failure()).isNotEqualTo("none");
      }
      rig.stop();
    }
  }

  @Test
  void anInvalidRequestIsRefusedAndTheConnectionContinues() throws Exception {
    try (ServiceRig rig = serve(LIMITS)) {
      CompressClient client = CompressClient.connect(rig, new Hello(1000, 2));
      Ready open = client.ready();
      Buffer src = Objects.requireNonNull(open.sources().lease());
      Buffer dst = Objects.requireNonNull(open.destinations().lease());
      client.remote().tell(new Deflate(src, dst, client.replies().getRef()));
      assertThat(code(client)).isEqualTo(DocaCode.INVALID_VALUE);
      client.remote().tell(new CompressProtocol.Lz4Block(src, dst, client.replies().getRef()));
      assertThat(code(client)).isEqualTo(DocaCode.NOT_SUPPORTED);
      src.length(3);
      client.remote().tell(new Inflate(src, dst, client.replies().getRef()));
      assertThat(code(client)).isEqualTo(DocaCode.IO_FAILED);
      inflate(client, deflated(0), src, dst);
      assertThat(client.replies().receiveMessage()).isInstanceOf(TaskReply.Completed.class);
      inflate(client, deflated(1), src, dst);
      assertThat(code(client)).isEqualTo(DocaCode.IO_FAILED);
      src.release();
      dst.release();
      client.deflate(open, 5);
      client.remote().tell(Finish.INSTANCE);
      assertThat(client.failure()).isEqualTo("none");
      rig.stop();
    }
  }

  @Test
  void aBufferInUseIsRefusedAndTheConnectionContinues() throws Exception {
    try (ServiceRig rig = serve(LIMITS)) {
      CompressClient client = CompressClient.connect(rig, new Hello(1000, 3));
      Ready open = client.ready();
      Buffer first = content(open);
      Buffer second = content(open);
      Buffer returned = content(open);
      returned.release();
      Buffer dst = Objects.requireNonNull(open.destinations().lease());
      Buffer free = Objects.requireNonNull(open.destinations().lease());
      BlockPoint blockPoint = new BlockPoint();
      rig.system.blockEngine("clients", blockPoint); // the first request stays in flight
      ActorRef<TaskReply> replies = client.replies().getRef();
      client.remote().tell(new Deflate(first, dst, 1, replies));
      client.remote().tell(new Deflate(second, dst, 2, replies));
      assertThat(code(client)).isEqualTo(DocaCode.INVALID_VALUE);
      client.remote().tell(new Deflate(first, free, 3, replies));
      assertThat(code(client)).isEqualTo(DocaCode.INVALID_VALUE);
      client.remote().tell(new Deflate(returned, free, 4, replies));
      assertThat(code(client)).isEqualTo(DocaCode.INVALID_VALUE);
      blockPoint.release();
      TaskReply done = client.replies().receiveMessage();
      assertThat(done).isInstanceOf(TaskReply.Completed.class);
      assertThat(done.tag()).isEqualTo(1);
      RunningSystem.releaseBuffers(done);
      second.release();
      free.release();
      client.deflate(open, 5);
      client.remote().tell(Finish.INSTANCE);
      assertThat(client.failure()).isEqualTo("none");
      rig.stop();
    }
  }

  private static Buffer content(Ready open) {
    Buffer buffer = Objects.requireNonNull(open.sources().lease());
    buffer.length(100);
    return buffer;
  }

  /** The actor has no orderly end: its parent stops it. */
  @Test
  void anActorThatIsStoppedAnswersItsBlocksAndItsListener() throws Exception {
    try (ServiceRig rig = serve(LIMITS)) {
      CompressClient client = CompressClient.connect(rig, new Hello(1000, 3));
      Ready open = client.ready();
      BlockPoint blockPoint = new BlockPoint();
      rig.system.blockEngine("clients", blockPoint); // the request stays in flight
      client.send(open, 1);
      TestProbe<TaskCapabilities> handled = rig.system.kit.createTestProbe();
      client.remote().tell(new CompressProtocol.GetCapabilities(handled.getRef()));
      handled.receiveMessage();
      rig.system.kit.stop(client.remote());
      TaskReply.Failed failed = (TaskReply.Failed) client.replies().receiveMessage();
      assertThat(failed.code()).isEqualTo(DocaCode.SHUTDOWN);
      assertThat(failed.ownership()).isEqualTo(TaskReply.Ownership.RETAINED);
      assertThat(client.failure()).isEqualTo("stopped before the summary");
      blockPoint.release();
      rig.stop();
    }
  }

  private static void inflate(CompressClient client, byte[] stream, Buffer src, Buffer dst) {
    src.bytes().clear().put(stream);
    src.length(stream.length);
    client.remote().tell(new Inflate(src, dst, client.replies().getRef()));
  }

  /** Returns a deflate stream, and bytes that follow it. */
  private static byte[] deflated(int more) {
    Deflater deflater = new Deflater(1, /* nowrap= */ true);
    deflater.setInput(new byte[100]);
    deflater.finish();
    byte[] out = new byte[200];
    int length = deflater.deflate(out);
    deflater.end();
    return Arrays.copyOf(out, length + more);
  }

  private static DocaCode code(CompressClient client) {
    return ((TaskReply.Failed) client.replies().receiveMessage()).code();
  }

  static Stream<List<byte[]>> nonsense() {
    byte[] hello = new Hello(1000, 2).encode();
    return Stream.of(
        List.of(new byte[] {0}),
        List.of("hello".getBytes(java.nio.charset.StandardCharsets.US_ASCII)),
        List.of(hello, hello),
        List.of(new End(0, 0, 0).encode()),
        List.of(new Welcome(1, 1, 1).encode()),
        List.of(new Summary(0, 0, 0, 0).encode()),
        List.of(hello, new End(Long.MAX_VALUE, 5, 7).encode(), new End(0, 0, 0).encode()));
  }

  @ParameterizedTest
  @MethodSource("nonsense")
  @ExpectedLog("closing the connection")
  void anInvalidMessageIsAnsweredAndClosesTheClient(List<byte[]> messages) throws Exception {
    try (ServiceRig rig = serve(LIMITS)) {
      CompressClient other = CompressClient.connect(rig, new Hello(1000, 1));
      Ready open = other.ready();
      ActorRef<ConnectionProtocol.Command> bad = rig.connect();
      TestProbe<ReceiveReply> received = rig.system.kit.createTestProbe();
      messages.forEach(message -> bad.tell(Send.orFail(message)));
      CompressMessage said;
      do {
        bad.tell(new ReceiveMessage(Duration.ofSeconds(15), received.getRef()));
        Received reply = (Received) received.receiveMessage();
        said = CompressMessage.decode(reply.message().bytes());
      } while (said instanceof Welcome);
      assertThat(said)
          .isInstanceOfSatisfying(
              Failed.class, failed -> assertThat(failed.reason()).isEqualTo(Reason.PROTOCOL));
      received.expectTerminated(bad);
      other.deflate(open, 5);
      other.remote().tell(Finish.INSTANCE);
      assertThat(other.failure()).isEqualTo("none");
      rig.stop();
    }
  }

  @Test
  @ExpectedLog("sent nothing for 1 s")
  void aSilentClientIsDisconnected() throws Exception {
    try (ServiceRig rig = serve(new Limits(1000, 1, 1 << 20, Duration.ofSeconds(1)))) {
      ActorRef<ConnectionProtocol.Command> silent = rig.connect();
      rig.system.kit.createTestProbe().expectTerminated(silent);
      rig.stop();
    }
  }
}

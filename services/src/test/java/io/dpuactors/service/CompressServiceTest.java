package io.dpuactors.service;

import static org.assertj.core.api.Assertions.assertThat;

import io.dpuactors.bridge.Buffer;
import io.dpuactors.bridge.DocaCode;
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
import io.dpuactors.service.RemoteCompress.Ended;
import io.dpuactors.service.RemoteCompress.Event;
import io.dpuactors.service.RemoteCompress.Finish;
import io.dpuactors.service.RemoteCompress.Ready;
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
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Stream;
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

  /** A client and probes for its events and replies. */
  private record Client(
      ServiceRig rig,
      ActorRef<ConnectionProtocol.Command> connection,
      ActorRef<Object> remote,
      TestProbe<Event> events,
      TestProbe<TaskReply> replies) {
    static Client connect(ServiceRig rig, Hello requested) {
      TestProbe<Event> events = rig.system.kit.createTestProbe();
      ActorRef<ConnectionProtocol.Command> connection = rig.connect();
      ActorRef<Object> remote =
          rig.system.kit.spawn(
              RemoteCompress.create(
                  connection,
                  rig.clients,
                  Optional.of(ServiceRig.HOST),
                  requested,
                  events.getRef()));
      return new Client(rig, connection, remote, events, rig.system.kit.createTestProbe());
    }

    Ready ready() {
      return (Ready) events.receiveMessage();
    }

    String failure() {
      return ((Ended) events.receiveMessage()).failure().orElse("none");
    }

    /** Deflates blocks as a pipeline does, and checks each result. */
    void deflate(Ready open, int blocks) {
      int sent = 0;
      List<Buffer> sources = new ArrayList<>();
      for (int answered = 0; answered < blocks; answered++) {
        while (sent < blocks && sent - answered < open.sources().capacity()) {
          sources.add(send(open, sent++));
        }
        TaskReply.Completed done = (TaskReply.Completed) replies.receiveMessage();
        assertThat(done.tag()).isEqualTo(answered);
        assertThat(done.src()).isSameAs(sources.get(answered));
        check(done);
      }
    }

    Buffer send(Ready open, int number) {
      Buffer src = Objects.requireNonNull(open.sources().lease());
      Buffer dst = Objects.requireNonNull(open.destinations().lease());
      byte[] content = content(number, 1 + number * 997 % src.capacity());
      src.bytes().clear().put(content);
      src.length(content.length);
      open.context().tell(new Deflate(src, dst, number, replies.getRef()));
      return src;
    }

    /**
     * Inflates the result with the same service, into the buffer of the content, and compares them.
     */
    private void check(TaskReply.Completed done) {
      int bytes = done.src().length();
      assertThat(done.crc32()).isEqualTo(BlockCrc.of(done.src()));
      done.src().bytes().clear().put(new byte[bytes]);
      TestProbe<TaskReply> inflated = rig.system.kit.createTestProbe();
      remote.tell(
          new Inflate(/* src= */ done.dst(), /* dst= */ done.src(), done.tag(), inflated.getRef()));
      TaskReply.Completed back = (TaskReply.Completed) inflated.receiveMessage();
      assertThat(back.crc32()).isEqualTo(done.crc32());
      assertThat(back.dst().length()).isEqualTo(bytes);
      done.src().release();
      done.dst().release();
    }

    void releaseBuffers(int answers) {
      for (int i = 0; i < answers; i++) {
        RunningSystem.releaseBuffers(replies.receiveMessage());
      }
    }
  }

  private static byte[] content(int number, int bytes) {
    byte[] content = new byte[bytes];
    Random random = new Random(number);
    for (int i = 0; i < bytes; i++) {
      content[i] = (byte) random.nextInt(number % 2 == 0 ? 4 : 256);
    }
    return content;
  }

  @Test
  void blocksReturnDeflatedInOrder() throws Exception {
    try (ServiceRig rig = serve(LIMITS)) {
      Client client = Client.connect(rig, new Hello(1 << 20, 8));
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
      Client client = Client.connect(rig, new Hello(5000, 3));
      client.deflate(client.ready(), 60);
      client.remote().tell(Finish.INSTANCE);
      assertThat(client.failure()).isEqualTo("none");
      rig.stop();
    }
  }

  @Test
  void anEmptyStreamIsAStream() throws Exception {
    try (ServiceRig rig = serve(LIMITS)) {
      Client client = Client.connect(rig, new Hello(1, 1));
      client.ready();
      client.remote().tell(Finish.INSTANCE);
      assertThat(client.failure()).isEqualTo("none");
      rig.stop();
    }
  }

  @Test
  void manyClientsAtOnceAreServedAlike() throws Exception {
    try (ServiceRig rig = serve(LIMITS)) {
      List<Client> clients = new ArrayList<>();
      List<Ready> open = new ArrayList<>();
      for (int i = 0; i < 8; i++) {
        clients.add(Client.connect(rig, new Hello(2000 + i, 2)));
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
      Client first = Client.connect(rig, new Hello(10_000, 3));
      Ready open = first.ready();
      assertThat(Client.connect(rig, new Hello(10_000, 3)).failure())
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
      Client other = Client.connect(rig, new Hello(1000, 1));
      Ready open = other.ready();
      Client client = Client.connect(rig, new Hello(1000, 3));
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
        Client client = Client.connect(rig, new Hello(1000, 3));
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
      Client client = Client.connect(rig, new Hello(1000, 2));
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
      src.release();
      dst.release();
      client.deflate(open, 5);
      client.remote().tell(Finish.INSTANCE);
      assertThat(client.failure()).isEqualTo("none");
      rig.stop();
    }
  }

  private static DocaCode code(Client client) {
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
      Client other = Client.connect(rig, new Hello(1000, 1));
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

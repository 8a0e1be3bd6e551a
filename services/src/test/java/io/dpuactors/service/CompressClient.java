package io.dpuactors.service;

import static org.assertj.core.api.Assertions.assertThat;

import io.dpuactors.bridge.Buffer;
import io.dpuactors.protocol.CompressProtocol.Deflate;
import io.dpuactors.protocol.CompressProtocol.Inflate;
import io.dpuactors.protocol.ConnectionProtocol;
import io.dpuactors.protocol.TaskReply;
import io.dpuactors.service.RemoteCompress.Ended;
import io.dpuactors.service.RemoteCompress.Event;
import io.dpuactors.service.RemoteCompress.Ready;
import io.dpuactors.testing.RunningSystem;
import io.dpuactors.wire.CompressMessage.Hello;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import org.apache.pekko.actor.testkit.typed.javadsl.TestProbe;
import org.apache.pekko.actor.typed.ActorRef;

/** A client and probes for its events and replies. */
record CompressClient(
    ServiceRig rig,
    ActorRef<ConnectionProtocol.Command> connection,
    ActorRef<Object> remote,
    TestProbe<Event> events,
    TestProbe<TaskReply> replies) {
  static CompressClient connect(ServiceRig rig, Hello requested) {
    TestProbe<Event> events = rig.system.kit.createTestProbe();
    ActorRef<ConnectionProtocol.Command> connection = rig.connect();
    ActorRef<Object> remote =
        rig.system.kit.spawn(
            RemoteCompress.create(
                connection, rig.clients, Optional.of(ServiceRig.HOST), requested, events.getRef()));
    return new CompressClient(rig, connection, remote, events, rig.system.kit.createTestProbe());
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

  private static byte[] content(int number, int bytes) {
    byte[] content = new byte[bytes];
    Random random = new Random(number);
    for (int i = 0; i < bytes; i++) {
      content[i] = (byte) random.nextInt(number % 2 == 0 ? 4 : 256);
    }
    return content;
  }
}

package io.dpuactors.context;

import static io.dpuactors.testing.RunningSystem.buffer;
import static io.dpuactors.testing.RunningSystem.releaseBuffers;
import static org.assertj.core.api.Assertions.assertThat;

import io.dpuactors.bridge.Buffer;
import io.dpuactors.bridge.BufferPool;
import io.dpuactors.bridge.Census;
import io.dpuactors.bridge.DocaCode;
import io.dpuactors.bridge.SoftDpu;
import io.dpuactors.protocol.Busy;
import io.dpuactors.protocol.ShaProtocol;
import io.dpuactors.protocol.ShaProtocol.Algorithm;
import io.dpuactors.protocol.ShaProtocol.CloseSession;
import io.dpuactors.protocol.ShaProtocol.Finish;
import io.dpuactors.protocol.ShaProtocol.Hash;
import io.dpuactors.protocol.ShaProtocol.OpenSession;
import io.dpuactors.protocol.ShaProtocol.Session;
import io.dpuactors.protocol.ShaProtocol.SessionOpened;
import io.dpuactors.protocol.ShaProtocol.SessionRefused;
import io.dpuactors.protocol.ShaProtocol.SessionReply;
import io.dpuactors.protocol.ShaProtocol.Update;
import io.dpuactors.protocol.Stop;
import io.dpuactors.protocol.Stopped;
import io.dpuactors.protocol.TaskOptions;
import io.dpuactors.protocol.TaskProtocol.ObjectDestroyed;
import io.dpuactors.protocol.TaskReply;
import io.dpuactors.protocol.TaskReply.Completed;
import io.dpuactors.protocol.TaskReply.Failed;
import io.dpuactors.protocol.TaskReply.Ownership;
import io.dpuactors.testing.BlockPoint;
import io.dpuactors.testing.CleanLog;
import io.dpuactors.testing.ExpectedLog;
import io.dpuactors.testing.FreshSoftDpu;
import io.dpuactors.testing.RunningSystem;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.apache.pekko.actor.testkit.typed.javadsl.TestProbe;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests hashes in parts through the public protocol, against the JDK's digests. */
@ExtendWith({CleanLog.class, FreshSoftDpu.class})
class ShaSessionTest {
  /** A session of one context uses its task again after the end of another session. */
  @ParameterizedTest
  @CsvSource({"SHA1, SHA-1, 64", "SHA256, SHA-256, 1024", "SHA512, SHA-512, 128"})
  void aPartialHashEqualsTheHashOfTheContent(Algorithm algorithm, String name, int part)
      throws NoSuchAlgorithmException {
    try (Rig rig = new Rig(TaskOptions.defaults().withWindow(1))) {
      for (int size : new int[] {part + 1, 2 * part, 5 * part + 17}) {
        byte[] message = random(size);
        Session session = rig.open(algorithm);
        byte[] digest = rig.digest(session, message, part);
        assertThat(digest).isEqualTo(MessageDigest.getInstance(name).digest(message));
        assertThat(session.handle().isOpen()).isFalse();
      }
    }
  }

  /** Each session has the state of its task, also when the parts of several alternate. */
  @Test
  void sessionsDoNotDisturbEachOther() throws NoSuchAlgorithmException {
    try (Rig rig = new Rig(TaskOptions.defaults().withWindow(4))) {
      List<Session> sessions = new ArrayList<>();
      List<Buffer> digests = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        sessions.add(rig.open(Algorithm.SHA256));
        digests.add(rig.lease());
      }
      byte[] part = random(64);
      for (int round = 0; round < 3; round++) {
        for (int i = 0; i < 4; i++) {
          byte[] own = part.clone();
          own[0] = (byte) i;
          rig.send(sessions.get(i), own, digests.get(i), false);
          rig.replies.expectMessageClass(Completed.class).src().release();
        }
      }
      for (int i = 0; i < 4; i++) {
        byte[] own = part.clone();
        own[0] = (byte) i;
        MessageDigest expected = MessageDigest.getInstance("SHA-256");
        for (int round = 0; round < 3; round++) {
          expected.update(own);
        }
        rig.send(sessions.get(i), new byte[] {1, 2, 3}, digests.get(i), true);
        Completed done = rig.replies.expectMessageClass(Completed.class);
        assertThat(content(done.dst())).isEqualTo(expected.digest(new byte[] {1, 2, 3}));
        releaseBuffers(done);
      }
    }
  }

  /** A part that the device refuses with AGAIN is submitted again. */
  @Test
  void aSessionSurvivesAgain() throws NoSuchAlgorithmException {
    try (Rig rig = new Rig(TaskOptions.defaults().withWindow(2).withQueue(0))) {
      byte[] message = random(200);
      Session session = rig.open(Algorithm.SHA256);
      Session other = rig.open(Algorithm.SHA1);
      Buffer digest = rig.lease();
      rig.send(session, Arrays.copyOf(message, 64), digest, false);
      rig.replies.expectMessageClass(Completed.class).src().release();
      FreshSoftDpu.DEVICE.faults("sha-partial-hash:again=1:nth=1");
      rig.send(session, Arrays.copyOfRange(message, 64, 128), digest, false);
      rig.replies.expectMessageClass(Completed.class).src().release();
      FreshSoftDpu.DEVICE.clearFaults();
      rig.send(session, Arrays.copyOfRange(message, 128, 200), digest, true);
      Completed done = rig.replies.expectMessageClass(Completed.class);
      assertThat(content(done.dst()))
          .isEqualTo(MessageDigest.getInstance("SHA-256").digest(message));
      releaseBuffers(done);
      rig.close(other);
    }
  }

  /** Hashes fill the window, the places in the bridge (16) and the queue: the part gets Busy. */
  @Test
  void aSessionSurvivesBusy() throws NoSuchAlgorithmException {
    int hashes = 1 + 17;
    FreshSoftDpu.DEVICE.execution(SoftDpu.Execution.INLINE);
    try (Rig rig = new Rig(TaskOptions.defaults().withWindow(1).withQueue(17))) {
      byte[] message = random(200);
      Session session = rig.open(Algorithm.SHA256);
      Buffer digest = rig.lease();
      rig.send(session, Arrays.copyOf(message, 64), digest, false);
      rig.replies.expectMessageClass(Completed.class).src().release();
      FreshSoftDpu.DEVICE.manualClock(true); // the device keeps its tasks
      TestProbe<TaskReply> hashed = rig.hash(hashes);
      byte[] second = Arrays.copyOfRange(message, 64, 128);
      rig.send(session, second, digest, false);
      TaskReply busy = rig.replies.receiveMessage();
      assertThat(busy).isInstanceOf(Busy.class);
      busy.src().release();
      FreshSoftDpu.DEVICE.manualClock(false);
      List<TaskReply> all = hashed.receiveSeveralMessages(hashes);
      assertThat(all).allMatch(Completed.class::isInstance);
      all.forEach(RunningSystem::releaseBuffers);
      rig.send(session, second, digest, false);
      rig.replies.expectMessageClass(Completed.class).src().release();
      rig.send(session, Arrays.copyOfRange(message, 128, 200), digest, true);
      Completed done = rig.replies.expectMessageClass(Completed.class);
      assertThat(content(done.dst()))
          .isEqualTo(MessageDigest.getInstance("SHA-256").digest(message));
      releaseBuffers(done);
    }
  }

  @Test
  void oneRequestAtATimeUsesASession() {
    try (Rig rig = new Rig(TaskOptions.defaults().withWindow(2))) {
      Session session = rig.open(Algorithm.SHA256);
      Buffer digest = rig.lease();
      BlockPoint blockPoint = rig.system.blockEngine(); // the context gets both parts at once
      rig.send(session, new byte[64], digest, false);
      rig.send(session, new byte[64], rig.lease(), false);
      blockPoint.release();
      Failed early = rig.replies.expectMessageClass(Failed.class);
      assertThat(early.code()).isEqualTo(DocaCode.IN_USE);
      releaseBuffers(early);
      releaseBuffers(rig.replies.expectMessageClass(Completed.class));
      assertThat(session.handle().isOpen()).isTrue();
      rig.close(session);
    }
  }

  @Test
  void impossiblePartsAreRefusedAndTheSessionContinues() throws NoSuchAlgorithmException {
    try (Rig rig = new Rig(TaskOptions.defaults())) {
      Session session = rig.open(Algorithm.SHA256);
      Buffer digest = rig.lease();
      rig.send(session, new byte[65], digest, false);
      Failed failed = rig.replies.expectMessageClass(Failed.class);
      assertThat(failed.error().about()).contains("65 bytes are no multiple of 64");
      failed.src().release();
      rig.send(session, new byte[64], digest, true); // DOCA refuses the first part as the last
      failed = rig.replies.expectMessageClass(Failed.class);
      assertThat(failed.code()).isEqualTo(DocaCode.BAD_STATE);
      failed.src().release();
      rig.send(session, new byte[64], digest, false);
      rig.replies.expectMessageClass(Completed.class).src().release();
      Buffer another = rig.lease();
      rig.send(session, new byte[1], another, true);
      failed = rig.replies.expectMessageClass(Failed.class);
      assertThat(failed.code()).isEqualTo(DocaCode.INVALID_VALUE);
      releaseBuffers(failed);
      rig.send(session, new byte[1], digest, true);
      Completed done = rig.replies.expectMessageClass(Completed.class);
      assertThat(content(done.dst()))
          .isEqualTo(MessageDigest.getInstance("SHA-256").digest(new byte[65]));
      releaseBuffers(done);
    }
  }

  @Test
  void theWindowLimitsTheSessions() {
    try (Rig rig = new Rig(TaskOptions.defaults().withWindow(2))) {
      Session first = rig.open(Algorithm.SHA1);
      Session second = rig.open(Algorithm.SHA1);
      rig.sha.tell(new OpenSession(Algorithm.SHA1, rig.sessions.getRef()));
      SessionRefused refused = rig.sessions.expectMessageClass(SessionRefused.class);
      assertThat(refused.error().code()).isEqualTo(DocaCode.FULL);
      rig.close(first);
      rig.close(rig.open(Algorithm.SHA512));
      rig.close(second);
    }
  }

  /** A failed or late part ends its session; the task serves the next one. */
  @ParameterizedTest
  @CsvSource({"sha-partial-hash:fail:nth=2, false, IO_FAILED", "'', true, TIME_OUT"})
  void aFailedOrLatePartEndsTheSession(String fault, boolean isLate, DocaCode code)
      throws NoSuchAlgorithmException {
    TaskOptions options = TaskOptions.defaults().withWindow(1).withDeadline(Duration.ofSeconds(1));
    FreshSoftDpu.DEVICE.execution(SoftDpu.Execution.INLINE);
    try (Rig rig = new Rig(options)) {
      FreshSoftDpu.DEVICE.faults(fault);
      Session session = rig.open(Algorithm.SHA256);
      Buffer digest = rig.lease();
      rig.send(session, new byte[64], digest, false);
      rig.replies.expectMessageClass(Completed.class).src().release();
      FreshSoftDpu.DEVICE.manualClock(isLate); // the device keeps the late part
      rig.send(session, new byte[64], digest, false);
      Failed failed = rig.replies.expectMessageClass(Failed.class);
      assertThat(failed.code()).isEqualTo(code);
      assertThat(session.handle().isOpen()).isFalse();
      if (failed.ownership() == Ownership.RETURNED) {
        releaseBuffers(failed);
      }
      FreshSoftDpu.DEVICE.manualClock(false);
      FreshSoftDpu.DEVICE.clearFaults();
      Awaitility.await().until(() -> rig.handles() == 0);
      byte[] message = random(100);
      assertThat(rig.digest(rig.open(Algorithm.SHA256), message, 64))
          .isEqualTo(MessageDigest.getInstance("SHA-256").digest(message));
    }
  }

  @Test
  void aSessionEndsWithItsOwner() {
    try (Rig rig = new Rig(TaskOptions.defaults().withWindow(1))) {
      ActorRef<Object> owner =
          rig.system.kit.spawn(Behaviors.receiveMessage(message -> Behaviors.stopped()));
      rig.sha.tell(new OpenSession(Algorithm.SHA1, Optional.of(owner), rig.sessions.getRef()));
      rig.sessions.expectMessageClass(SessionOpened.class);
      owner.tell("end");
      Awaitility.await().until(() -> rig.handles() == 0);
      rig.close(rig.open(Algorithm.SHA1));
    }
  }

  @Test
  void aSessionEndsAfterThePartInFlightOfItsOwner() {
    FreshSoftDpu.DEVICE.execution(SoftDpu.Execution.INLINE);
    try (Rig rig = new Rig(TaskOptions.defaults().withWindow(1))) {
      ActorRef<Object> owner =
          rig.system.kit.spawn(Behaviors.receiveMessage(message -> Behaviors.stopped()));
      rig.sha.tell(new OpenSession(Algorithm.SHA1, Optional.of(owner), rig.sessions.getRef()));
      Session session = rig.sessions.expectMessageClass(SessionOpened.class).session();
      FreshSoftDpu.DEVICE.manualClock(true); // the device keeps the part
      rig.send(session, new byte[64], rig.lease(), false);
      owner.tell("end");
      Awaitility.await().until(() -> !session.handle().isOpen());
      assertThat(rig.handles()).isEqualTo(1);
      FreshSoftDpu.DEVICE.manualClock(false);
      releaseBuffers(rig.replies.expectMessageClass(Completed.class));
      Awaitility.await().until(() -> rig.handles() == 0);
      rig.close(rig.open(Algorithm.SHA1));
    }
  }

  @Test
  void stopEndsIdleSessionsAndThoseWithAPartInFlight() {
    FreshSoftDpu.DEVICE.execution(SoftDpu.Execution.INLINE);
    try (Rig rig = new Rig(TaskOptions.defaults().withWindow(2))) {
      Session idle = rig.open(Algorithm.SHA512);
      Session used = rig.open(Algorithm.SHA256);
      FreshSoftDpu.DEVICE.manualClock(true); // the device keeps the part
      rig.send(used, new byte[64], rig.lease(), false);
      TestProbe<Stopped> stopped = rig.system.kit.createTestProbe();
      rig.sha.tell(new Stop(stopped.getRef()));
      rig.send(idle, new byte[128], rig.lease(), false);
      Failed refused = rig.replies.expectMessageClass(Failed.class);
      assertThat(refused.code()).isEqualTo(DocaCode.SHUTDOWN);
      releaseBuffers(refused);
      assertThat(rig.handles()).isEqualTo(2);
      FreshSoftDpu.DEVICE.manualClock(false);
      releaseBuffers(rig.replies.expectMessageClass(Completed.class));
      assertThat(stopped.receiveMessage()).isEqualTo(Stopped.CLEAN);
      assertThat(rig.handles()).isZero();
    }
  }

  @Test
  @ExpectedLog("the context stopped by itself")
  void aRestartEndsTheSessions() throws NoSuchAlgorithmException {
    try (Rig rig = new Rig(TaskOptions.defaults().withWindow(2))) {
      Session idle = rig.open(Algorithm.SHA256);
      Session used = rig.open(Algorithm.SHA256);
      FreshSoftDpu.DEVICE.faults("*:lost:nth=1");
      rig.send(used, new byte[64], rig.lease(), false);
      releaseBuffers(rig.replies.expectMessageClass(Failed.class));
      FreshSoftDpu.DEVICE.clearFaults();
      byte[] message = random(300);
      assertThat(rig.digest(rig.open(Algorithm.SHA256), message, 128))
          .isEqualTo(MessageDigest.getInstance("SHA-256").digest(message));
      rig.send(idle, new byte[64], rig.lease(), false);
      Failed failed = rig.replies.expectMessageClass(Failed.class);
      assertThat(failed.code()).isEqualTo(DocaCode.INVALID_VALUE);
      releaseBuffers(failed);
    }
  }

  private static byte[] random(int bytes) {
    byte[] content = new byte[bytes];
    new Random(bytes).nextBytes(content);
    return content;
  }

  private static byte[] content(Buffer buffer) {
    byte[] content = new byte[buffer.length()];
    buffer.bytes().get(0, content);
    return content;
  }

  /** A SHA context with memory; its engine has an empty census at the end. */
  private static final class Rig implements AutoCloseable {
    private final RunningSystem system = RunningSystem.create("dpu.sha.drain-deadline = 1m");
    private final TestProbe<SessionReply> sessions = system.kit.createTestProbe();
    private final TestProbe<ObjectDestroyed> closed = system.kit.createTestProbe();
    private final TestProbe<TaskReply> replies = system.kit.createTestProbe();
    private final BufferPool pool = system.pool(12, 4096);
    private final ActorRef<ShaProtocol.Command> sha;

    Rig(TaskOptions options) {
      sha = system.openedSha("sha", options);
    }

    Session open(Algorithm algorithm) {
      sha.tell(new OpenSession(algorithm, sessions.getRef()));
      return sessions.expectMessageClass(SessionOpened.class).session();
    }

    void close(Session session) {
      sha.tell(new CloseSession(session, closed.getRef()));
      assertThat(closed.receiveMessage().failure()).isEmpty();
    }

    void send(Session session, byte[] part, Buffer digest, boolean isLast) {
      Buffer src = buffer(pool, part);
      sha.tell(
          isLast
              ? new Finish(session, src, digest, 1, replies.getRef())
              : new Update(session, src, digest, 1, replies.getRef()));
    }

    TestProbe<TaskReply> hash(int count) {
      BufferPool buffers = system.pool(2 * count, 64);
      TestProbe<TaskReply> probe = system.kit.createTestProbe();
      for (int i = 0; i < count; i++) {
        Buffer src = buffer(buffers, new byte[10]);
        sha.tell(new Hash(Algorithm.SHA1, src, buffer(buffers), i, probe.getRef()));
      }
      return probe;
    }

    byte[] digest(Session session, byte[] message, int part) {
      Buffer digest = lease();
      int from = 0;
      for (; message.length - from > part; from += part) {
        send(session, Arrays.copyOfRange(message, from, from + part), digest, false);
        Completed done = replies.expectMessageClass(Completed.class);
        assertThat(done.dst().length()).isZero();
        done.src().release();
      }
      send(session, Arrays.copyOfRange(message, from, message.length), digest, true);
      Completed done = replies.expectMessageClass(Completed.class);
      byte[] content = content(done.dst());
      releaseBuffers(done);
      return content;
    }

    Buffer lease() {
      return buffer(pool);
    }

    int handles() {
      return system.open(Census.Resource.HANDLE);
    }

    @Override
    public void close() {
      assertThat(system.stopEngine().census()).isEqualTo("empty");
      system.close();
    }
  }
}

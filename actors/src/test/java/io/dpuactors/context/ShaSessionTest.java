package io.dpuactors.context;

import static io.dpuactors.context.ShaSessionRig.random;
import static io.dpuactors.context.ShaSessionRig.sha256;
import static io.dpuactors.testing.RunningSystem.releaseBuffers;
import static org.assertj.core.api.Assertions.assertThat;

import io.dpuactors.bridge.Buffer;
import io.dpuactors.bridge.DocaCode;
import io.dpuactors.bridge.SoftDpu;
import io.dpuactors.protocol.Busy;
import io.dpuactors.protocol.ShaProtocol.Algorithm;
import io.dpuactors.protocol.ShaProtocol.OpenSession;
import io.dpuactors.protocol.ShaProtocol.Session;
import io.dpuactors.protocol.ShaProtocol.SessionRefused;
import io.dpuactors.protocol.TaskOptions;
import io.dpuactors.protocol.TaskReply;
import io.dpuactors.protocol.TaskReply.Completed;
import io.dpuactors.protocol.TaskReply.Failed;
import io.dpuactors.testing.BlockPoint;
import io.dpuactors.testing.CleanLog;
import io.dpuactors.testing.FreshSoftDpu;
import io.dpuactors.testing.RunningSystem;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.pekko.actor.testkit.typed.javadsl.TestProbe;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Tests hashes in parts through the public protocol, against the JDK's digests. {@link
 * ShaSessionEndTest} tests the ends of sessions.
 */
@ExtendWith({CleanLog.class, FreshSoftDpu.class})
class ShaSessionTest {
  /** A session of one context uses its task again after the end of another session. */
  @ParameterizedTest
  @CsvSource({"SHA1, SHA-1, 64", "SHA256, SHA-256, 1024", "SHA512, SHA-512, 128"})
  void aPartialHashEqualsTheHashOfTheContent(Algorithm algorithm, String name, int part)
      throws NoSuchAlgorithmException {
    try (ShaSessionRig rig = new ShaSessionRig(TaskOptions.defaults().withWindow(1))) {
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
    try (ShaSessionRig rig = new ShaSessionRig(TaskOptions.defaults().withWindow(4))) {
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
          rig.update(sessions.get(i), own, digests.get(i));
        }
      }
      for (int i = 0; i < 4; i++) {
        byte[] own = part.clone();
        own[0] = (byte) i;
        MessageDigest expected = MessageDigest.getInstance("SHA-256");
        for (int round = 0; round < 3; round++) {
          expected.update(own);
        }
        byte[] last = {1, 2, 3};
        assertThat(rig.finish(sessions.get(i), last, digests.get(i)))
            .isEqualTo(expected.digest(last));
      }
    }
  }

  /** A part that the device refuses with AGAIN is submitted again. */
  @Test
  void aSessionSurvivesAgain() throws NoSuchAlgorithmException {
    try (ShaSessionRig rig = new ShaSessionRig(TaskOptions.defaults().withWindow(2).withQueue(0))) {
      byte[] message = random(200);
      Session session = rig.open(Algorithm.SHA256);
      Session other = rig.open(Algorithm.SHA1);
      Buffer digest = rig.lease();
      rig.update(session, Arrays.copyOf(message, 64), digest);
      FreshSoftDpu.DEVICE.faults("sha-partial-hash:again=1:nth=1");
      rig.update(session, Arrays.copyOfRange(message, 64, 128), digest);
      FreshSoftDpu.DEVICE.clearFaults();
      assertThat(rig.finish(session, Arrays.copyOfRange(message, 128, 200), digest))
          .isEqualTo(sha256(message));
      rig.close(other);
    }
  }

  /** Hashes fill the window, the places in the bridge (16) and the queue: the part gets Busy. */
  @Test
  void aSessionSurvivesBusy() throws NoSuchAlgorithmException {
    int hashes = 1 + 17;
    FreshSoftDpu.DEVICE.execution(SoftDpu.Execution.INLINE);
    try (ShaSessionRig rig =
        new ShaSessionRig(TaskOptions.defaults().withWindow(1).withQueue(17))) {
      byte[] message = random(200);
      Session session = rig.open(Algorithm.SHA256);
      Buffer digest = rig.lease();
      rig.update(session, Arrays.copyOf(message, 64), digest);
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
      rig.update(session, second, digest);
      assertThat(rig.finish(session, Arrays.copyOfRange(message, 128, 200), digest))
          .isEqualTo(sha256(message));
    }
  }

  @Test
  void oneRequestAtATimeUsesASession() {
    try (ShaSessionRig rig = new ShaSessionRig(TaskOptions.defaults().withWindow(2))) {
      Session session = rig.open(Algorithm.SHA256);
      Buffer digest = rig.lease();
      BlockPoint blockPoint = rig.system.blockEngine(); // the context gets both parts at once
      rig.send(session, new byte[64], digest, false);
      rig.send(session, new byte[64], rig.lease(), false);
      blockPoint.release();
      Failed early = rig.failed();
      assertThat(early.code()).isEqualTo(DocaCode.IN_USE);
      releaseBuffers(early);
      releaseBuffers(rig.replies.expectMessageClass(Completed.class));
      assertThat(session.handle().isOpen()).isTrue();
      rig.close(session);
    }
  }

  @Test
  void impossiblePartsAreRefusedAndTheSessionContinues() throws NoSuchAlgorithmException {
    try (ShaSessionRig rig = new ShaSessionRig(TaskOptions.defaults())) {
      Session session = rig.open(Algorithm.SHA256);
      Buffer digest = rig.lease();
      rig.send(session, new byte[65], digest, false);
      Failed failed = rig.failed();
      assertThat(failed.error().about()).contains("65 bytes are no multiple of 64");
      failed.src().release();
      rig.send(session, new byte[64], digest, true); // DOCA refuses the first part as the last
      failed = rig.failed();
      assertThat(failed.code()).isEqualTo(DocaCode.BAD_STATE);
      failed.src().release();
      rig.update(session, new byte[64], digest);
      Buffer another = rig.lease();
      rig.send(session, new byte[1], another, true);
      failed = rig.failed();
      assertThat(failed.code()).isEqualTo(DocaCode.INVALID_VALUE);
      releaseBuffers(failed);
      assertThat(rig.finish(session, new byte[1], digest)).isEqualTo(sha256(new byte[65]));
    }
  }

  @Test
  void theWindowLimitsTheSessions() {
    try (ShaSessionRig rig = new ShaSessionRig(TaskOptions.defaults().withWindow(2))) {
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
}

package io.dpuactors.context;

import static io.dpuactors.context.ShaSessionRig.random;
import static io.dpuactors.context.ShaSessionRig.sha256;
import static io.dpuactors.testing.RunningSystem.releaseBuffers;
import static org.assertj.core.api.Assertions.assertThat;

import io.dpuactors.bridge.Buffer;
import io.dpuactors.bridge.DocaCode;
import io.dpuactors.bridge.SoftDpu;
import io.dpuactors.protocol.ShaProtocol.Algorithm;
import io.dpuactors.protocol.ShaProtocol.Session;
import io.dpuactors.protocol.Stop;
import io.dpuactors.protocol.Stopped;
import io.dpuactors.protocol.TaskOptions;
import io.dpuactors.protocol.TaskReply.Completed;
import io.dpuactors.protocol.TaskReply.Failed;
import io.dpuactors.protocol.TaskReply.Ownership;
import io.dpuactors.testing.CleanLog;
import io.dpuactors.testing.ExpectedLog;
import io.dpuactors.testing.FreshSoftDpu;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import org.apache.pekko.actor.testkit.typed.javadsl.TestProbe;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests what ends a session of hashes, other than its last part and CloseSession. */
@ExtendWith({CleanLog.class, FreshSoftDpu.class})
class ShaSessionEndTest {
  /** A failed or late part ends its session; the task serves the next one. */
  @ParameterizedTest
  @CsvSource({"sha-partial-hash:fail:nth=2, false, IO_FAILED", "'', true, TIME_OUT"})
  void aFailedOrLatePartEndsTheSession(String fault, boolean isLate, DocaCode code)
      throws NoSuchAlgorithmException {
    TaskOptions options = TaskOptions.defaults().withWindow(1).withDeadline(Duration.ofSeconds(1));
    FreshSoftDpu.DEVICE.execution(SoftDpu.Execution.INLINE);
    try (ShaSessionRig rig = new ShaSessionRig(options)) {
      FreshSoftDpu.DEVICE.faults(fault);
      Session session = rig.open(Algorithm.SHA256);
      Buffer digest = rig.lease();
      rig.update(session, new byte[64], digest);
      FreshSoftDpu.DEVICE.manualClock(isLate); // the device keeps the late part
      rig.send(session, new byte[64], digest, false);
      Failed failed = rig.failed();
      assertThat(failed.code()).isEqualTo(code);
      assertThat(session.handle().isOpen()).isFalse();
      if (failed.ownership() == Ownership.RETURNED) {
        releaseBuffers(failed);
      }
      FreshSoftDpu.DEVICE.manualClock(false);
      FreshSoftDpu.DEVICE.clearFaults();
      Awaitility.await().until(() -> rig.handles() == 0);
      byte[] message = random(100);
      assertThat(rig.digest(rig.open(Algorithm.SHA256), message, 64)).isEqualTo(sha256(message));
    }
  }

  @Test
  void aSessionEndsWithItsOwner() {
    try (ShaSessionRig rig = new ShaSessionRig(TaskOptions.defaults().withWindow(1))) {
      ActorRef<Object> owner = owner(rig);
      rig.open(Algorithm.SHA1, owner);
      owner.tell("end");
      Awaitility.await().until(() -> rig.handles() == 0);
      rig.close(rig.open(Algorithm.SHA1));
    }
  }

  @Test
  void aSessionEndsAfterThePartInFlightOfItsOwner() {
    FreshSoftDpu.DEVICE.execution(SoftDpu.Execution.INLINE);
    try (ShaSessionRig rig = new ShaSessionRig(TaskOptions.defaults().withWindow(1))) {
      ActorRef<Object> owner = owner(rig);
      Session session = rig.open(Algorithm.SHA1, owner);
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
    try (ShaSessionRig rig = new ShaSessionRig(TaskOptions.defaults().withWindow(2))) {
      Session idle = rig.open(Algorithm.SHA512);
      Session used = rig.open(Algorithm.SHA256);
      FreshSoftDpu.DEVICE.manualClock(true); // the device keeps the part
      rig.send(used, new byte[64], rig.lease(), false);
      TestProbe<Stopped> stopped = rig.system.kit.createTestProbe();
      rig.sha.tell(new Stop(stopped.getRef()));
      rig.send(idle, new byte[128], rig.lease(), false);
      Failed refused = rig.failed();
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
    try (ShaSessionRig rig = new ShaSessionRig(TaskOptions.defaults().withWindow(2))) {
      Session idle = rig.open(Algorithm.SHA256);
      Session used = rig.open(Algorithm.SHA256);
      FreshSoftDpu.DEVICE.faults("*:lost:nth=1");
      rig.send(used, new byte[64], rig.lease(), false);
      releaseBuffers(rig.failed());
      FreshSoftDpu.DEVICE.clearFaults();
      byte[] message = random(300);
      assertThat(rig.digest(rig.open(Algorithm.SHA256), message, 128)).isEqualTo(sha256(message));
      rig.send(idle, new byte[64], rig.lease(), false);
      Failed failed = rig.failed();
      assertThat(failed.code()).isEqualTo(DocaCode.INVALID_VALUE);
      releaseBuffers(failed);
    }
  }

  /** Returns an actor that ends with its first message. */
  private static ActorRef<Object> owner(ShaSessionRig rig) {
    return rig.system.kit.spawn(Behaviors.receiveMessage(message -> Behaviors.stopped()));
  }
}

package io.dpuactors.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import com.typesafe.config.ConfigFactory;
import io.dpuactors.bridge.DocaCode;
import io.dpuactors.bridge.TaskKind;
import io.dpuactors.fleet.FleetMessage.Attach;
import io.dpuactors.fleet.FleetMessage.AttachRefused;
import io.dpuactors.fleet.FleetMessage.AttachReply;
import io.dpuactors.fleet.FleetMessage.Attached;
import io.dpuactors.fleet.FleetMessage.Drain;
import io.dpuactors.fleet.FleetMessage.Drained;
import io.dpuactors.fleet.FleetMessage.GetNodeStatus;
import io.dpuactors.fleet.FleetMessage.NodeStatus;
import io.dpuactors.protocol.BufferOptions;
import io.dpuactors.protocol.CompressProtocol;
import io.dpuactors.testkit.HeapBuffers;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.pekko.actor.testkit.typed.javadsl.ActorTestKit;
import org.apache.pekko.actor.testkit.typed.javadsl.TestProbe;
import org.apache.pekko.actor.typed.ActorRef;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests which requests the gateway of a node refuses, and its drain. */
class GatewayTest {
  private static final Duration LIMIT = Duration.ofSeconds(30);
  private static final String JOB = "0123456789abcdef0123456789abcdef";
  private static final String OTHER = "f".repeat(32);

  private final ActorTestKit kit =
      ActorTestKit.create(
          "gateway",
          ConfigFactory.load(
              ConfigFactory.parseString(
                      """
                      dpu.fleet.node.max-jobs = 1
                      pekko.actor.testkit.typed.single-expect-default = 20s
                      pekko { loglevel = ERROR, stdout-loglevel = OFF, actor.provider = local }
                      """)
                  .withFallback(FleetConfig.defaults())));
  private final TestProbe<AttachReply> client = kit.createTestProbe();
  private ActorRef<Gateway.Command> gateway =
      kit.spawn(Gateway.create(work(Set.of(TaskKind.COMPRESS_DEFLATE))), "gateway");

  private NodeWork work(Set<TaskKind> kinds) {
    NodeWork.Lane lane =
        new NodeWork.Lane(
            kit.<CompressProtocol.Command>createTestProbe().getRef(),
            HeapBuffers.pairs(BufferOptions.of(1, 1024, 1024)));
    return new NodeWork(
        "h:1",
        "library",
        "device",
        kinds.stream().collect(Collectors.toMap(Function.identity(), kind -> lane)),
        new ContentPermits(1),
        new NodeWork.Count());
  }

  @AfterEach
  void end() {
    kit.shutdownTestKit();
  }

  private AttachReply attach(int protocol, String job, TaskKind kind) {
    gateway.tell(new Attach(protocol, job, kind, client.getRef()));
    return client.receiveMessage(LIMIT);
  }

  private AttachReply attach(String job) {
    return attach(FleetMessage.PROTOCOL, job, TaskKind.COMPRESS_DEFLATE);
  }

  private NodeStatus status() {
    TestProbe<NodeStatus> probe = kit.createTestProbe();
    gateway.tell(new GetNodeStatus(probe.getRef()));
    return probe.receiveMessage(LIMIT);
  }

  @Test
  void aClientOfAnotherVersionIsRefused() {
    assertThat(attach(1, JOB, TaskKind.COMPRESS_DEFLATE))
        .isEqualTo(
            new AttachRefused(
                JOB,
                TaskKind.COMPRESS_DEFLATE,
                "h:1",
                DocaCode.UNSUPPORTED_VERSION.value(),
                "the client has version 1 of the protocol, this node has version 3"));
    attach(1, JOB, TaskKind.COMPRESS_DEFLATE);
    assertThat(status().jobs()).isZero();
    assertThat(status().refused()).as("a repeated request").isEqualTo(Map.of("protocol", 1L));
  }

  @Test
  void clientsThatRepeatTheirRequestsInTurnAreCountedOnce() {
    for (int i = 0; i < 3; i++) {
      attach(1, JOB, TaskKind.COMPRESS_DEFLATE);
      attach(1, OTHER, TaskKind.COMPRESS_DEFLATE);
    }
    assertThat(status().refused()).isEqualTo(Map.of("protocol", 2L));
  }

  @Test
  void aRepeatedRequestDoesNotMakeTheGatewayForgetOthers() {
    for (int round = 0; round < 2; round++) {
      for (int i = 0; i < Gateway.MAX_REFUSED_JOBS; i++) {
        attach(1, "%032x".formatted(i), TaskKind.COMPRESS_DEFLATE);
      }
    }
    long jobs = Gateway.MAX_REFUSED_JOBS;
    assertThat(status().refused()).isEqualTo(Map.of("protocol", jobs));
  }

  @Test
  void aKindThatTheDevicesCannotRunIsRefused() {
    assertThat(attach(FleetMessage.PROTOCOL, JOB, TaskKind.DECOMPRESS_DEFLATE))
        .isEqualTo(
            new AttachRefused(
                JOB,
                TaskKind.DECOMPRESS_DEFLATE,
                "h:1",
                DocaCode.NOT_SUPPORTED.value(),
                "the node cannot " + TaskKind.DECOMPRESS_DEFLATE.purpose()));
  }

  @Test
  void jobsBeyondTheLimitAreRefusedAndRepeatedRequestsAreNoFurtherJob() {
    Attached served = new Attached(JOB, TaskKind.COMPRESS_DEFLATE, "h:1");
    assertThat(attach(JOB)).isEqualTo(served);
    assertThat(attach(JOB)).isEqualTo(served);
    assertThat(status().jobs()).isEqualTo(1);
    assertThat(attach(OTHER))
        .isEqualTo(
            new AttachRefused(
                OTHER,
                TaskKind.COMPRESS_DEFLATE,
                "h:1",
                DocaCode.FULL.value(),
                "the node serves 1 jobs already"));
  }

  @Test
  void aJobWithTwoKindsIsOneJob() {
    gateway = kit.spawn(Gateway.create(work(FleetMessage.KINDS)), "of-two-kinds");
    TaskKind other = TaskKind.DECOMPRESS_DEFLATE;
    assertThat(attach(JOB)).isInstanceOf(Attached.class);
    assertThat(attach(FleetMessage.PROTOCOL, JOB, other)).isInstanceOf(Attached.class);
    assertThat(status().jobs()).isEqualTo(1);
    assertThat(attach(FleetMessage.PROTOCOL, OTHER, other)).isInstanceOf(AttachRefused.class);
  }

  @Test
  void aJobEndsWithItsClient() {
    attach(JOB);
    client.stop();
    TestProbe<Object> waits = kit.createTestProbe();
    waits.awaitAssert(
        LIMIT,
        Duration.ofMillis(10),
        () -> {
          assertThat(status().jobs()).isZero();
          return null;
        });
  }

  @Test
  void aDrainEndsTheJobsThenAnswersThenStops() {
    attach(JOB);
    TestProbe<Drained> drained = kit.createTestProbe();
    gateway.tell(new Drain(drained.getRef()));
    drained.expectMessage(LIMIT, new Drained("h:1"));
    drained.expectTerminated(gateway, LIMIT);
  }
}

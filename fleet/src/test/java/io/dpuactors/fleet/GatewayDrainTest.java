package io.dpuactors.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import com.typesafe.config.ConfigFactory;
import io.dpuactors.bridge.TaskKind;
import io.dpuactors.fleet.FleetMessage.Attach;
import io.dpuactors.fleet.FleetMessage.AttachReply;
import io.dpuactors.fleet.FleetMessage.Block;
import io.dpuactors.fleet.FleetMessage.Drain;
import io.dpuactors.fleet.FleetMessage.Drained;
import io.dpuactors.fleet.FleetMessage.FetchBlock;
import io.dpuactors.fleet.FleetMessage.OfBlock;
import io.dpuactors.protocol.BufferOptions;
import io.dpuactors.protocol.CompressProtocol;
import io.dpuactors.testkit.HeapBuffers;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.pekko.actor.testkit.typed.javadsl.ActorTestKit;
import org.apache.pekko.actor.testkit.typed.javadsl.TestProbe;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.delivery.WorkPullingProducerController;
import org.apache.pekko.actor.typed.delivery.WorkPullingProducerController.RequestNext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Tests the drain of a node whose client does not answer. */
@ExtendWith(DroppedLog.class) // the node warns that its jobs have not finished
class GatewayDrainTest {
  private static final Duration LIMIT = Duration.ofSeconds(30);
  private static final Duration DEADLINE = Duration.ofMillis(300);
  private static final String JOB = "0123456789abcdef0123456789abcdef";
  private static final TaskKind KIND = TaskKind.COMPRESS_DEFLATE;

  private final ActorTestKit kit =
      ActorTestKit.create(
          "drain",
          ConfigFactory.load(
              ConfigFactory.parseString(
                      """
                      dpu.fleet.node { drain-deadline = 300ms, workers = 1 }
                      pekko { loglevel = ERROR, stdout-loglevel = OFF, actor.provider = local }
                      """)
                  .withFallback(FleetConfig.defaults())));

  @AfterEach
  void end() {
    kit.shutdownTestKit();
  }

  @Test
  void aClientThatDoesNotAnswerDelaysADrainUntilItsDeadline() {
    TestProbe<RequestNext<Block>> demand = kit.createTestProbe();
    ActorRef<WorkPullingProducerController.Command<Block>> queue =
        kit.spawn(
            WorkPullingProducerController.create(
                Block.class, "queue", Fleet.workers(JOB, KIND), Optional.empty()));
    queue.tell(new WorkPullingProducerController.Start<>(demand.getRef()));
    ActorRef<Gateway.Command> gateway = kit.spawn(Gateway.create(work()));
    TestProbe<AttachReply> client = kit.createTestProbe();
    gateway.tell(new Attach(FleetMessage.PROTOCOL, JOB, KIND, client.getRef()));
    TestProbe<OfBlock> silent = kit.createTestProbe();
    demand.receiveMessage(LIMIT).sendNextTo().tell(new Block(JOB, 1, KIND, silent.getRef()));
    silent.expectMessageClass(FetchBlock.class, LIMIT);
    TestProbe<Drained> drained = kit.createTestProbe();
    long beganNs = System.nanoTime();
    gateway.tell(new Drain(drained.getRef()));
    drained.expectMessage(LIMIT, new Drained("h:1"));
    assertThat(System.nanoTime() - beganNs).isGreaterThanOrEqualTo(DEADLINE.toNanos());
    drained.expectTerminated(gateway, LIMIT);
  }

  private NodeWork work() {
    NodeWork.Lane lane =
        new NodeWork.Lane(
            kit.<CompressProtocol.Command>createTestProbe().getRef(),
            HeapBuffers.pairs(BufferOptions.of(1, 1024, 1024)));
    Map<TaskKind, NodeWork.Lane> lanes = Map.of(KIND, lane);
    NodeDevices devices = new NodeDevices("library", List.of("device"), lanes.keySet());
    return NodeWork.create("h:1", devices, lanes, 1);
  }
}

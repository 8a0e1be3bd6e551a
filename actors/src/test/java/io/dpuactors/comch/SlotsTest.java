package io.dpuactors.comch;

import static org.assertj.core.api.Assertions.assertThat;

import io.dpuactors.bridge.Buffer;
import io.dpuactors.bridge.BufferPool;
import io.dpuactors.bridge.DocaCode;
import io.dpuactors.bridge.Permission;
import io.dpuactors.protocol.ClientOptions;
import io.dpuactors.protocol.CompressProtocol;
import io.dpuactors.protocol.CompressProtocol.Deflate;
import io.dpuactors.protocol.ConnectionEvent;
import io.dpuactors.protocol.ConnectionProtocol;
import io.dpuactors.protocol.ConnectionProtocol.OpenConsumer;
import io.dpuactors.protocol.ConsumerProtocol;
import io.dpuactors.protocol.ConsumerProtocol.ConsumerReply;
import io.dpuactors.protocol.ConsumerProtocol.Post;
import io.dpuactors.protocol.ConsumerProtocol.PostFailed;
import io.dpuactors.protocol.ContextReply;
import io.dpuactors.protocol.ContextReply.OpenFailed;
import io.dpuactors.protocol.ContextReply.Opened;
import io.dpuactors.protocol.DataOptions;
import io.dpuactors.protocol.MemoryProtocol.OpenPool;
import io.dpuactors.protocol.MemoryProtocol.PoolOpened;
import io.dpuactors.protocol.MemoryProtocol.PoolReply;
import io.dpuactors.protocol.PoolOptions;
import io.dpuactors.protocol.ServerOptions;
import io.dpuactors.protocol.Stop;
import io.dpuactors.protocol.TaskOptions;
import io.dpuactors.protocol.TaskReply;
import io.dpuactors.protocol.TaskReply.Completed;
import io.dpuactors.testing.CleanLog;
import io.dpuactors.testing.ComchPair;
import io.dpuactors.testing.FreshSoftDpu;
import io.dpuactors.testing.RunningSystem;
import java.util.Objects;
import java.util.Set;
import org.apache.pekko.actor.testkit.typed.javadsl.TestProbe;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Tests that the task slots of one context, held without limit, are not taken from another context.
 */
@ExtendWith({CleanLog.class, FreshSoftDpu.class})
class SlotsTest {
  /** settings for 192 task slots */
  private static final String SMALL =
      """
      dpu.engine.submission-ring = 64
      dpu.engine.completion-ring = 256
      dpu.comch.server.send-tasks = 16
      dpu.compress.deadline = 3s
      """;

  private static final int POSTS = 32;

  @Test
  void postedBuffersLeaveOtherContextsTheirSlotsAndWhatCannotFitIsRefused() {
    try (RunningSystem system = RunningSystem.create(SMALL)) {
      serve(system, "slots");
      ActorRef<ConnectionProtocol.Command> client =
          ComchPair.client(system, system.engine, "client", ClientOptions.of("slots"));
      BufferPool pool = ComchPair.pool(system, system.engine, 8 * POSTS, 256);
      ActorRef<CompressProtocol.Command> compress =
          system.opened("compress", TaskOptions.defaults());
      TestProbe<ConsumerReply> filled = system.kit.createTestProbe();
      int opened = 0;
      ConsumerProtocol.OpenReply reply = openConsumer(system, client, pool, opened);
      while (reply instanceof ConsumerProtocol.Opened open && opened < 8) {
        opened++;
        for (int i = 0; i < POSTS; i++) {
          open.context().tell(new Post(lease(pool), filled.getRef()));
        }
        reply = openConsumer(system, client, pool, opened);
      }
      assertThat(deflate(system, compress)).isInstanceOf(Completed.class);
      assertThat(opened).isPositive();
      ConsumerProtocol.OpenFailed refused = (ConsumerProtocol.OpenFailed) reply;
      assertThat(refused.error().code()).isEqualTo(DocaCode.NO_MEMORY);
      assertThat(refused.error().about()).contains("task slots", "dpu.engine.completion-ring");
      client.tell(new Stop());
      for (int i = 0; i < opened * POSTS; i++) {
        ((PostFailed) filled.receiveMessage()).dst().release();
      }
      assertThat(system.stopEngine().census()).isEqualTo("empty");
    }
  }

  @Test
  void messagesThatDoNotFitIntoTheCellsAreRefusedWhenTheyAreAgreedOn() {
    try (RunningSystem system = RunningSystem.create("dpu.engine.message-bytes = 64")) {
      assertTooSmall(ComchPair.openServer(system, system.engine, "server", serverOptions("s")));
      assertTooSmall(ComchPair.openClient(system, system.engine, "client", ClientOptions.of("s")));
    }
  }

  private static void assertTooSmall(ContextReply<?> reply) {
    OpenFailed<?> refused = (OpenFailed<?>) reply;
    assertThat(refused.error().code()).isEqualTo(DocaCode.INVALID_VALUE);
    assertThat(refused.error().about())
        .contains("dpu.comch.max-message", "4080", "dpu.engine.message-bytes", "64");
  }

  /**
   * Opens the server on a second engine, so that the clients have all slots of the first engine.
   */
  private static void serve(RunningSystem system, String service) {
    assertThat(
            ComchPair.openServer(
                system, system.spawnEngine("two"), "server", serverOptions(service)))
        .isInstanceOf(Opened.class);
  }

  private static ServerOptions serverOptions(String service) {
    return ServerOptions.of(service, connection -> ignore());
  }

  private static Behavior<ConnectionEvent> ignore() {
    return Behaviors.ignore();
  }

  private static ConsumerProtocol.OpenReply openConsumer(
      RunningSystem system,
      ActorRef<ConnectionProtocol.Command> client,
      BufferPool pool,
      int number) {
    TestProbe<ConsumerProtocol.OpenReply> probe = system.kit.createTestProbe();
    client.tell(new OpenConsumer("in-" + number, DataOptions.into(pool), probe.getRef()));
    return probe.receiveMessage();
  }

  /** Deflates a buffer in memory of the compressing device. */
  private static TaskReply deflate(
      RunningSystem system, ActorRef<CompressProtocol.Command> compress) {
    TestProbe<PoolReply> pools = system.kit.createTestProbe();
    system.engine.tell(
        new OpenPool(
            PoolOptions.of(2, 4096)
                .onDevice("03:00.0")
                .withPermissions(Set.of(Permission.LOCAL_READ_WRITE)),
            pools.getRef()));
    BufferPool pool = ((PoolOpened) pools.receiveMessage()).pool();
    TestProbe<TaskReply> probe = system.kit.createTestProbe();
    compress.tell(
        new Deflate(RunningSystem.buffer(pool, new byte[100]), lease(pool), 1, probe.getRef()));
    TaskReply reply = probe.receiveMessage();
    RunningSystem.releaseBuffers(reply);
    return reply;
  }

  private static Buffer lease(BufferPool pool) {
    return Objects.requireNonNull(pool.lease());
  }
}

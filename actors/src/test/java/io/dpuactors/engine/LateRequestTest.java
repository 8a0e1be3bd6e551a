package io.dpuactors.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.dpuactors.bridge.Buffer;
import io.dpuactors.bridge.BufferPool;
import io.dpuactors.bridge.DocaCode;
import io.dpuactors.bridge.TaskKind;
import io.dpuactors.protocol.CompressProtocol;
import io.dpuactors.protocol.CompressProtocol.Deflate;
import io.dpuactors.protocol.CompressProtocol.OpenFailed;
import io.dpuactors.protocol.CompressProtocol.OpenReply;
import io.dpuactors.protocol.CompressProtocol.Opened;
import io.dpuactors.protocol.EngineProtocol;
import io.dpuactors.protocol.EngineProtocol.OpenCompress;
import io.dpuactors.protocol.Stop;
import io.dpuactors.protocol.TaskOptions;
import io.dpuactors.protocol.TaskReply;
import io.dpuactors.protocol.TaskReply.Failed;
import io.dpuactors.testing.CleanLog;
import io.dpuactors.testing.FreshSoftDpu;
import io.dpuactors.testing.LateSender;
import io.dpuactors.testing.RunningSystem;
import org.apache.pekko.actor.testkit.typed.javadsl.TestProbe;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Tests that a request is answered if its receiver ends during the send. */
@ExtendWith({CleanLog.class, FreshSoftDpu.class})
class LateRequestTest {
  private static final TaskOptions DEFLATE =
      TaskOptions.defaults().withKinds(TaskKind.COMPRESS_DEFLATE);

  private final RunningSystem system = RunningSystem.create("pekko.log-dead-letters = off");

  @AfterEach
  void end() {
    system.close();
  }

  private void stop(ActorRef<?> actor) {
    actor.<Object>unsafeUpcast().tell(new Stop());
    system.kit.createTestProbe().expectTerminated(actor);
  }

  private ActorRef<EngineProtocol.Command> group() {
    TestProbe<ActorRef<EngineProtocol.Command>> spawned = system.kit.createTestProbe();
    system.kit.spawn(
        Behaviors.<Object>setup(
            context -> {
              spawned.getRef().tell(EngineGroup.spawn(context, "group", GroupOptions.of(2)));
              return Behaviors.empty();
            }));
    return spawned.receiveMessage();
  }

  private void assertRefused(LateSender<CompressProtocol.Command> sender) {
    BufferPool pool = system.pool(2, 64);
    Buffer src = RunningSystem.buffer(pool, new byte[] {1});
    Buffer dst = RunningSystem.buffer(pool);
    TestProbe<TaskReply> replies = system.kit.createTestProbe();
    sender.tell(new Deflate(src, dst, 7, replies.getRef()));
    TaskReply reply = replies.receiveMessage();
    assertThat(reply).isInstanceOf(Failed.class);
    assertThat(((Failed) reply).error().code()).isEqualTo(DocaCode.SHUTDOWN);
    RunningSystem.releaseBuffers(reply);
    assertThat(system.stopEngine().clean()).isTrue();
  }

  private void assertRefusedOpen(LateSender<EngineProtocol.Command> sender) {
    TestProbe<OpenReply> replies = system.kit.createTestProbe();
    sender.tell(new OpenCompress("late", DEFLATE, replies.getRef()));
    OpenReply reply = replies.receiveMessage();
    assertThat(reply).isInstanceOf(OpenFailed.class);
    assertThat(((OpenFailed) reply).error().code()).isEqualTo(DocaCode.SHUTDOWN);
  }

  @Test
  void aTaskToAContextThatEnds() {
    ActorRef<CompressProtocol.Command> compress = system.opened("compress", DEFLATE);
    LateSender<CompressProtocol.Command> sender = new LateSender<>(compress);
    stop(compress);
    assertRefused(sender);
  }

  @Test
  void anOpenCommandToAnEngineThatEnds() {
    ActorRef<EngineProtocol.Command> engine = system.spawnEngine("two");
    LateSender<EngineProtocol.Command> sender = new LateSender<>(engine);
    stop(engine);
    assertRefusedOpen(sender);
  }

  @Test
  void aTaskToAContextOfAGroupThatEnds() {
    ActorRef<EngineProtocol.Command> group = group();
    TestProbe<OpenReply> opened = system.kit.createTestProbe();
    group.tell(new OpenCompress("compress", DEFLATE, opened.getRef()));
    ActorRef<CompressProtocol.Command> compress = ((Opened) opened.receiveMessage()).context();
    LateSender<CompressProtocol.Command> sender = new LateSender<>(compress);
    stop(compress);
    stop(group);
    assertRefused(sender);
  }

  @Test
  void anOpenCommandToAGroupThatEnds() {
    ActorRef<EngineProtocol.Command> group = group();
    LateSender<EngineProtocol.Command> sender = new LateSender<>(group);
    stop(group);
    assertRefusedOpen(sender);
  }
}

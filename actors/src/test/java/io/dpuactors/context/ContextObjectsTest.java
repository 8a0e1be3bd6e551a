package io.dpuactors.context;

import static io.dpuactors.testing.RunningSystem.buffer;
import static io.dpuactors.testing.RunningSystem.releaseBuffers;
import static org.assertj.core.api.Assertions.assertThat;

import io.dpuactors.bridge.Buffer;
import io.dpuactors.bridge.BufferPool;
import io.dpuactors.bridge.Census;
import io.dpuactors.bridge.DocaCode;
import io.dpuactors.bridge.DocaError;
import io.dpuactors.bridge.TaskHandle;
import io.dpuactors.bridge.TaskLibrary;
import io.dpuactors.protocol.ContextReply;
import io.dpuactors.protocol.EngineProtocol;
import io.dpuactors.protocol.LocalMessage;
import io.dpuactors.protocol.Stop;
import io.dpuactors.protocol.TaskOptions;
import io.dpuactors.protocol.TaskProtocol;
import io.dpuactors.protocol.TaskProtocol.ObjectDestroyed;
import io.dpuactors.protocol.TaskReply;
import io.dpuactors.protocol.TaskReply.Completed;
import io.dpuactors.protocol.TaskReply.Failed;
import io.dpuactors.testing.AnyTask;
import io.dpuactors.testing.AnyTask.CreateReply;
import io.dpuactors.testing.BlockPoint;
import io.dpuactors.testing.CleanLog;
import io.dpuactors.testing.ExpectedLog;
import io.dpuactors.testing.FreshSoftDpu;
import io.dpuactors.testing.RunningSystem;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.pekko.actor.testkit.typed.javadsl.TestProbe;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.SupervisorStrategy;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests the objects of contexts, such as keys, for every library whose tasks use objects. */
@ExtendWith({CleanLog.class, FreshSoftDpu.class})
class ContextObjectsTest {
  private static final int BYTES = 512;

  static Stream<TaskLibrary> libraries() {
    return Stream.of(TaskLibrary.values()).filter(library -> library.example() != null);
  }

  @ParameterizedTest
  @MethodSource("libraries")
  void anObjectIsDestroyedAfterItsLastTask(TaskLibrary library) {
    try (RunningSystem system = RunningSystem.create()) {
      ActorRef<LocalMessage> context = opened(system, library, 2);
      TaskHandle object = object(system, library, context);
      assertThat(open(system)).isEqualTo(1);
      TestProbe<Object> answers = system.kit.createTestProbe();
      BufferPool pool = system.pool(12, 2 * BYTES);
      BlockPoint blockPoint = system.blockEngine(); // the context gets all messages at once
      for (int i = 0; i < 5; i++) {
        context.tell(task(library, object, pool, answers.getRef().narrow()));
      }
      context.tell(new AnyTask.Destroy(object, answers.getRef().narrow()));
      context.tell(task(library, object, pool, answers.getRef().narrow()));
      blockPoint.release();
      Failed refused = answers.expectMessageClass(Failed.class);
      assertThat(refused.error().about()).contains(object + " was destroyed");
      releaseBuffers(refused);
      for (int i = 0; i < 4; i++) {
        releaseBuffers(answers.expectMessageClass(Completed.class));
      }
      // The answer of the last task follows the end of the object.
      ObjectDestroyed destroyed = answers.expectMessageClass(ObjectDestroyed.class);
      assertThat(destroyed).isEqualTo(new ObjectDestroyed(object, Optional.empty()));
      releaseBuffers(answers.expectMessageClass(Completed.class));
      assertThat(open(system)).isZero();
      context.tell(new AnyTask.Destroy(object, answers.getRef().narrow()));
      assertThat(answers.expectMessageClass(ObjectDestroyed.class).failure())
          .hasValueSatisfying(error -> assertThat(error.code()).isEqualTo(DocaCode.NOT_FOUND));
      assertThat(system.stopEngine().census()).isEqualTo("empty");
    }
  }

  @ParameterizedTest
  @MethodSource("libraries")
  void anObjectEndsWithItsOwner(TaskLibrary library) {
    try (RunningSystem system = RunningSystem.create()) {
      ActorRef<LocalMessage> context = opened(system, library, 2);
      ActorRef<Object> owner = system.kit.spawn(Behaviors.receiveMessage(m -> Behaviors.stopped()));
      TestProbe<CreateReply> created = system.kit.createTestProbe();
      for (int i = 0; i < 3; i++) {
        create(library, context, Optional.of(owner), created);
        assertThat(created.receiveMessage().error()).isNull();
      }
      assertThat(open(system)).isEqualTo(3);
      owner.tell("end");
      Awaitility.await().until(() -> open(system) == 0);
      assertThat(system.stopEngine().census()).isEqualTo("empty");
    }
  }

  @ParameterizedTest
  @MethodSource("libraries")
  @ExpectedLog("the context stopped by itself")
  void aRestartEndsTheObjectsOfAContext(TaskLibrary library) {
    try (RunningSystem system = RunningSystem.create()) {
      ActorRef<LocalMessage> context = opened(system, library, 2);
      TaskHandle before = object(system, library, context);
      TestProbe<TaskReply> replies = system.kit.createTestProbe();
      BufferPool pool = system.pool(4, 2 * BYTES);
      FreshSoftDpu.DEVICE.faults("*:lost:nth=1");
      context.tell(task(library, before, pool, replies.getRef()));
      releaseBuffers(replies.receiveMessage());
      FreshSoftDpu.DEVICE.clearFaults();
      TaskHandle after = object(system, library, context); // waits for the restart
      assertThat(before.isOpen()).isFalse();
      assertThat(open(system)).isEqualTo(1);
      context.tell(task(library, before, pool, replies.getRef()));
      Failed failed = replies.expectMessageClass(Failed.class);
      assertThat(failed.code()).isEqualTo(DocaCode.INVALID_VALUE);
      releaseBuffers(failed);
      context.tell(task(library, after, pool, replies.getRef()));
      releaseBuffers(replies.expectMessageClass(Completed.class));
      assertThat(system.stopEngine().census()).isEqualTo("empty");
    }
  }

  /** The context waits for an hour before it restarts; the command does not. */
  @ParameterizedTest
  @MethodSource("libraries")
  @ExpectedLog("the context stopped by itself")
  void aCommandIsAnsweredAtItsDeadline(TaskLibrary library) {
    Duration hour = Duration.ofHours(1);
    try (RunningSystem system = RunningSystem.create()) {
      ActorRef<LocalMessage> context =
          system.opened(
              library,
              TaskOptions.defaults()
                  .withKinds(AnyTask.kind(library))
                  .withDeadline(Duration.ofSeconds(1))
                  .withSupervision(SupervisorStrategy.restartWithBackoff(hour, hour, 0)));
      TaskHandle object = object(system, library, context);
      TestProbe<TaskReply> replies = system.kit.createTestProbe();
      FreshSoftDpu.DEVICE.faults("*:lost:nth=1");
      context.tell(task(library, object, system.pool(2, 2 * BYTES), replies.getRef()));
      releaseBuffers(replies.receiveMessage());
      Awaitility.await().until(() -> system.open(Census.Resource.CONTEXT) == 0);
      TestProbe<CreateReply> created = system.kit.createTestProbe();
      create(library, context, Optional.empty(), created);
      DocaError error = Objects.requireNonNull(created.receiveMessage().error());
      assertThat(error.code()).isEqualTo(DocaCode.TIME_OUT);
      assertThat(error.about()).isEqualTo("the context did not run within 1000 ms");
      assertThat(system.stopEngine().census()).isEqualTo("empty");
    }
  }

  @ParameterizedTest
  @MethodSource("libraries")
  void anObjectOfAnotherContextIsRefused(TaskLibrary library) {
    try (RunningSystem system = RunningSystem.create()) {
      ActorRef<LocalMessage> context = opened(system, library, 2);
      TestProbe<CreateReply> created = system.kit.createTestProbe();
      TestProbe<ContextReply<LocalMessage>> opened = system.kit.createTestProbe();
      system.engine.tell(
          new EngineProtocol.OpenLibrary(
              library, "other", TaskOptions.defaults(), opened.getRef()));
      ActorRef<LocalMessage> other = ((TaskProtocol.Opened) opened.receiveMessage()).context();
      create(library, other, Optional.empty(), created);
      TaskHandle foreign = Objects.requireNonNull(created.receiveMessage().handle());
      TestProbe<TaskReply> replies = system.kit.createTestProbe();
      context.tell(task(library, foreign, system.pool(2, 2 * BYTES), replies.getRef()));
      Failed failed = replies.expectMessageClass(Failed.class);
      assertThat(failed.code()).isEqualTo(DocaCode.INVALID_VALUE);
      assertThat(failed.error().about()).contains("belongs to another context");
      releaseBuffers(failed);
      assertThat(system.stopEngine().census()).isEqualTo("empty");
    }
  }

  @ParameterizedTest
  @MethodSource("libraries")
  void aContextThatStopsRefusesNewObjects(TaskLibrary library) {
    try (RunningSystem system = RunningSystem.create()) {
      ActorRef<LocalMessage> context = opened(system, library, 2);
      object(system, library, context);
      TestProbe<CreateReply> created = system.kit.createTestProbe();
      context.tell(new Stop());
      create(library, context, Optional.empty(), created);
      assertThat(Objects.requireNonNull(created.receiveMessage().error()).code())
          .isEqualTo(DocaCode.SHUTDOWN);
      created.expectTerminated(context);
      create(library, context, Optional.empty(), created);
      assertThat(Objects.requireNonNull(created.receiveMessage().error()).code())
          .isEqualTo(DocaCode.SHUTDOWN);
      assertThat(system.stopEngine().census()).isEqualTo("empty");
    }
  }

  private static ActorRef<LocalMessage> opened(
      RunningSystem system, TaskLibrary library, int window) {
    return system.opened(
        library, TaskOptions.defaults().withKinds(AnyTask.kind(library)).withWindow(window));
  }

  private static TaskHandle object(
      RunningSystem system, TaskLibrary library, ActorRef<LocalMessage> context) {
    return Objects.requireNonNull(system.object(library, context));
  }

  private static void create(
      TaskLibrary library,
      ActorRef<LocalMessage> context,
      Optional<ActorRef<?>> owner,
      TestProbe<CreateReply> probe) {
    TaskLibrary.Example example = Objects.requireNonNull(library.example());
    context.tell(new AnyTask.Create(example, owner, probe.getRef()));
  }

  private static AnyTask task(
      TaskLibrary library, TaskHandle object, BufferPool pool, ActorRef<TaskReply> replyTo) {
    Buffer src = buffer(pool, new byte[BYTES]);
    return new AnyTask(AnyTask.kind(library), object, src, buffer(pool), 0, replyTo);
  }

  private static int open(RunningSystem system) {
    TestProbe<EngineProtocol.Status> probe = system.kit.createTestProbe();
    system.engine.tell(new EngineProtocol.GetStatus(probe.getRef()));
    return probe.receiveMessage().open().getOrDefault(Census.Resource.HANDLE, 0);
  }
}

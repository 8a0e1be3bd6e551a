package io.dpuactors.testkit;

import static io.dpuactors.testkit.Leases.lease;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.dpuactors.bridge.Buffer;
import io.dpuactors.bridge.BufferPool;
import io.dpuactors.bridge.DocaCode;
import io.dpuactors.bridge.TaskCapabilities;
import io.dpuactors.bridge.TaskHandle;
import io.dpuactors.bridge.TaskKind;
import io.dpuactors.bridge.TaskLibrary;
import io.dpuactors.protocol.Busy;
import io.dpuactors.protocol.LocalMessage;
import io.dpuactors.protocol.Stop;
import io.dpuactors.protocol.Stopped;
import io.dpuactors.protocol.TaskProtocol.ObjectDestroyed;
import io.dpuactors.protocol.TaskReply;
import io.dpuactors.protocol.TaskReply.Completed;
import io.dpuactors.protocol.TaskReply.Failed;
import io.dpuactors.protocol.TaskReply.Ownership;
import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.apache.pekko.actor.testkit.typed.javadsl.TestProbe;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Tests that the contexts of an engine and the scripted contexts answer alike, for every row of
 * {@link TaskLibrary}.
 */
class ContextConformanceTest {
  private static final int BYTES = 512;

  @RegisterExtension static final EngineTestKit DPU = EngineTestKit.create();

  static Stream<Arguments> contexts() {
    return Stream.of(TaskLibrary.values())
        .flatMap(
            library -> Stream.of(Subject.Kind.values()).map(kind -> Arguments.of(library, kind)));
  }

  static Stream<Arguments> contextsWithObjects() {
    return contexts().filter(row -> ((TaskLibrary) row.get()[0]).example() != null);
  }

  /** One context, its buffers and its answers. */
  private static final class Rig {
    final TaskLibrary library;
    final Subject subject;
    final ActorRef<LocalMessage> context;
    final BufferPool pool;
    final TestProbe<Object> answers = DPU.actors().createTestProbe();
    @Nullable TaskHandle object;

    Rig(TaskLibrary library, Subject.Kind kind) {
      this(library, kind, Duration.ofSeconds(20));
    }

    Rig(TaskLibrary library, Subject.Kind kind, Duration deadline) {
      this.library = library;
      subject = kind.open(DPU, library, deadline);
      context = subject.context();
      pool = subject.pool(6, 2 * BYTES);
      object = newObject(Optional.empty());
    }

    @Nullable TaskHandle newObject(Optional<ActorRef<?>> owner) {
      if (library.example() == null) {
        return null;
      }
      context.tell(new RowTask.Create(library.example(), owner, answers.getRef().narrow()));
      RowTask.Created created = answers.expectMessageClass(RowTask.Created.class);
      assertThat(created.error()).isNull();
      return created.handle();
    }

    Buffer source() {
      Buffer src = lease(pool);
      byte[] content = new byte[BYTES];
      Arrays.fill(content, (byte) 'a');
      src.bytes().put(content);
      src.length(BYTES);
      return src;
    }

    void send(Buffer src, Buffer dst, long tag) {
      send(RowTask.kind(library), src, dst, tag);
    }

    void send(TaskKind kind, Buffer src, Buffer dst, long tag) {
      context.tell(new RowTask(kind, object, src, dst, tag, answers.getRef().narrow()));
    }

    void send(long tag) {
      send(source(), lease(pool), tag);
    }

    <R extends TaskReply> R receive(Class<R> type, long tag) {
      R reply = answers.expectMessageClass(type);
      assertThat(reply.tag()).isEqualTo(tag);
      return reply;
    }

    void complete(long tag) {
      send(tag);
      Completed done = receive(Completed.class, tag);
      assertThat(done.dst().length()).isPositive();
      release(done);
    }

    void completeAfterRestart(long tag) {
      awaitAfterRestart(tag, Completed.class::isInstance);
    }

    /** Sends a task again while the context ends: such tasks fail with the cause. */
    void awaitAfterRestart(long tag, Predicate<TaskReply> isExpected) {
      Awaitility.await()
          .until(
              () -> {
                send(tag);
                TaskReply reply = receive(TaskReply.class, tag);
                release(reply);
                boolean isLast = isExpected.test(reply);
                if (!isLast) {
                  assertThat(((Failed) reply).code()).isEqualTo(DocaCode.UNEXPECTED);
                }
                return isLast;
              });
    }

    void refused(DocaCode code, String about) {
      Failed failed = answers.expectMessageClass(Failed.class);
      assertThat(failed.code()).isEqualTo(code);
      assertThat(failed.error().about()).contains(library.shortName()).contains(about);
      assertThat(failed.ownership()).isEqualTo(Ownership.RETURNED);
    }

    static void release(TaskReply reply) {
      reply.src().release();
      reply.dst().release();
    }

    void end() {
      assertThat(pool.available()).isEqualTo(pool.capacity());
      answers.expectNoMessage(Duration.ZERO);
    }
  }

  @ParameterizedTest
  @MethodSource("contexts")
  void everyRequestIsAnsweredWithItsTag(TaskLibrary library, Subject.Kind kind) {
    Rig rig = new Rig(library, kind);
    for (int tag = 0; tag < 20; tag++) {
      rig.complete(tag);
    }
    rig.end();
  }

  @ParameterizedTest
  @MethodSource("contexts")
  void aFailedTaskReturnsItsBuffersAndTheContextContinues(TaskLibrary library, Subject.Kind kind) {
    Rig rig = new Rig(library, kind);
    rig.subject.failNext();
    rig.send(1);
    Failed failed = rig.receive(Failed.class, 1);
    assertThat(failed.code()).isEqualTo(DocaCode.IO_FAILED);
    assertThat(failed.ownership()).isEqualTo(Ownership.RETURNED);
    Rig.release(failed);
    rig.completeAfterRestart(2);
    rig.end();
  }

  @ParameterizedTest
  @MethodSource("contexts")
  void aRequestBeyondTheQueueGetsBusy(TaskLibrary library, Subject.Kind kind) {
    Rig rig = new Rig(library, kind);
    rig.subject.holdTwoAndRefuseThird();
    rig.send(1);
    rig.send(2);
    rig.send(3);
    TaskReply busy = rig.receive(TaskReply.class, 3);
    assertThat(busy).isInstanceOf(Busy.class);
    Rig.release(busy);
    for (int tag = 1; tag <= 2; tag++) {
      rig.subject.proceed();
      Rig.release(rig.receive(Completed.class, tag));
    }
    rig.end();
  }

  @ParameterizedTest
  @MethodSource("contexts")
  void anExpiredRequestKeepsItsBuffersUntilTheDeviceReturnsThem(
      TaskLibrary library, Subject.Kind kind) {
    Rig rig = new Rig(library, kind, Duration.ofMillis(1500));
    rig.subject.expireNext();
    rig.send(1);
    Failed late = rig.receive(Failed.class, 1);
    assertThat(late.code()).isEqualTo(DocaCode.TIME_OUT);
    assertThat(late.ownership()).isEqualTo(Ownership.RETAINED);
    assertThat(rig.pool.available()).isEqualTo(rig.pool.capacity() - 2);
    rig.subject.proceed();
    Awaitility.await().until(() -> rig.pool.available() == rig.pool.capacity());
    rig.complete(2);
    rig.end();
  }

  @ParameterizedTest
  @MethodSource("contexts")
  void aRestartFailsTheTaskAndEndsObjects(TaskLibrary library, Subject.Kind kind) {
    Rig rig = new Rig(library, kind);
    rig.subject.restartAtNext();
    rig.send(1);
    rig.subject.restart();
    Failed failed = rig.receive(Failed.class, 1);
    assertThat(failed.code()).isEqualTo(DocaCode.IO_FAILED);
    Rig.release(failed);
    if (rig.object != null) {
      rig.awaitAfterRestart(
          2, old -> old instanceof Failed ended && ended.code() == DocaCode.INVALID_VALUE);
      rig.object = rig.newObject(Optional.empty());
    }
    rig.completeAfterRestart(3);
    rig.end();
  }

  @ParameterizedTest
  @MethodSource("contexts")
  void stopAnswersEveryRequestAndLaterOnes(TaskLibrary library, Subject.Kind kind) {
    Rig rig = new Rig(library, kind);
    rig.complete(1);
    rig.context.tell(new Stop(rig.answers.getRef().narrow()));
    assertThat(rig.answers.receiveMessage()).isEqualTo(Stopped.CLEAN);
    rig.answers.expectTerminated(rig.context);
    rig.send(2);
    Failed failed = rig.receive(Failed.class, 2);
    assertThat(failed.code()).isEqualTo(DocaCode.SHUTDOWN);
    Rig.release(failed);
    rig.end();
  }

  @ParameterizedTest
  @MethodSource("contexts")
  void impossibleRequestsAreRefusedAlike(TaskLibrary library, Subject.Kind kind) {
    Rig rig = new Rig(library, kind);
    Buffer src = rig.source();
    Buffer dst = lease(rig.pool);
    rig.send(src, src, 1);
    rig.refused(DocaCode.INVALID_VALUE, "source and destination are the same buffer");
    rig.send(dst, src, 1);
    rig.refused(DocaCode.INVALID_VALUE, "the source buffer is empty");
    TaskKind other = library == TaskLibrary.DMA ? TaskKind.COMPRESS_DEFLATE : TaskKind.DMA_MEMCPY;
    @Nullable TaskHandle object = rig.object;
    rig.object = null;
    rig.send(other, src, dst, 1);
    rig.refused(DocaCode.NOT_SUPPORTED, "the context has no tasks of this kind");
    rig.object = object;
    src.release();
    rig.send(src, dst, 1);
    rig.refused(DocaCode.INVALID_VALUE, "a buffer was already returned to its pool");
    dst.release();
    rig.complete(2);
    rig.end();
  }

  @ParameterizedTest
  @MethodSource("contexts")
  void capabilitiesHaveAllKinds(TaskLibrary library, Subject.Kind kind) {
    Rig rig = new Rig(library, kind);
    rig.context.tell(new RowTask.Query(rig.answers.getRef().narrow()));
    TaskCapabilities capabilities = rig.answers.expectMessageClass(TaskCapabilities.class);
    assertThat(capabilities.limits()).containsOnlyKeys(library.kinds());
    assertThat(capabilities.maxTasks()).isPositive();
  }

  @ParameterizedTest
  @MethodSource("contextsWithObjects")
  void aDestroyedObjectServesNoTask(TaskLibrary library, Subject.Kind kind) {
    Rig rig = new Rig(library, kind);
    TaskHandle object = requireNonNull(rig.object);
    rig.context.tell(new RowTask.Destroy(object, rig.answers.getRef().narrow()));
    ObjectDestroyed destroyed = rig.answers.expectMessageClass(ObjectDestroyed.class);
    assertThat(destroyed).isEqualTo(new ObjectDestroyed(object, Optional.empty()));
    rig.send(1);
    Failed failed = rig.receive(Failed.class, 1);
    assertThat(failed.error().about()).contains(" was destroyed");
    Rig.release(failed);
    rig.context.tell(new RowTask.Destroy(object, rig.answers.getRef().narrow()));
    assertThat(rig.answers.expectMessageClass(ObjectDestroyed.class).failure())
        .hasValueSatisfying(error -> assertThat(error.code()).isEqualTo(DocaCode.NOT_FOUND));
    rig.end();
  }

  @ParameterizedTest
  @MethodSource("contextsWithObjects")
  void anObjectEndsWithItsOwner(TaskLibrary library, Subject.Kind kind) {
    Rig rig = new Rig(library, kind);
    ActorRef<Object> owner =
        DPU.actors().spawn(Behaviors.receiveMessage(message -> Behaviors.stopped()));
    TaskHandle owned = requireNonNull(rig.newObject(Optional.of(owner)));
    assertThat(owned.isOpen()).isTrue();
    owner.tell("end");
    Awaitility.await().until(() -> !owned.isOpen());
    rig.complete(1);
    rig.end();
  }
}

package io.dpuactors.testing;

import static io.dpuactors.testing.RunningSystem.buffer;

import io.dpuactors.bridge.Buffer;
import io.dpuactors.bridge.BufferPool;
import io.dpuactors.bridge.DocaCode;
import io.dpuactors.bridge.TaskCapabilities;
import io.dpuactors.bridge.TaskHandle;
import io.dpuactors.bridge.TaskKind;
import io.dpuactors.bridge.TaskLibrary;
import io.dpuactors.protocol.Busy;
import io.dpuactors.protocol.EngineProtocol;
import io.dpuactors.protocol.LocalMessage;
import io.dpuactors.protocol.SyncEventOptions;
import io.dpuactors.protocol.SyncEventProtocol;
import io.dpuactors.protocol.SyncEventProtocol.EventRequest;
import io.dpuactors.protocol.TaskOptions;
import io.dpuactors.protocol.TaskReply;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.pekko.actor.testkit.typed.javadsl.TestProbe;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.Behaviors;

/** A context with one kind of tasks, for tests that access all contexts of tasks alike. */
public sealed interface AnyContext {
  /** Returns {@link #queuing}, and a context of each kind of {@link AnyTask#sessions}. */
  static Stream<AnyContext> all() {
    return Stream.concat(queuing(), AnyTask.sessions().map(OfSessions::new));
  }

  /**
   * Returns a context of each kind of {@link AnyTask#kinds}, and of sync events without waits.
   * Their requests wait in a queue; a session has one request at a time.
   */
  static Stream<AnyContext> queuing() {
    Stream<TaskKind> events = Stream.of(TaskKind.EVENT_GET, TaskKind.EVENT_SET, TaskKind.EVENT_ADD);
    return Stream.concat(AnyTask.kinds().map(OfKind::new), events.map(OfEvent::new));
  }

  /** Opens the context with this kind only, and returns it when it runs. */
  ActorRef<LocalMessage> opened(RunningSystem system, TaskOptions options);

  /** Sends requests with the tags 0 to count - 1. */
  void send(
      RunningSystem system, ActorRef<LocalMessage> context, int count, ActorRef<Object> replyTo);

  /** The outcome of a request. */
  enum Outcome {
    DONE,
    FAILED,
    BUSY
  }

  /** An answer to a request, without its buffers. */
  record Answer(long tag, Outcome outcome, Optional<DocaCode> code) {
    /** Returns the content of an answer, and releases the buffers that the answer returns. */
    public static Answer released(Object reply) {
      if (reply instanceof TaskReply task) {
        RunningSystem.releaseBuffers(task);
      }
      return reply instanceof Answer answer ? answer : of(reply);
    }

    private static Answer of(Object reply) {
      if (reply instanceof Busy busy) {
        return new Answer(busy.tag(), Outcome.BUSY, Optional.empty());
      }
      if (reply instanceof TaskReply.Failed failed) {
        return new Answer(failed.tag(), Outcome.FAILED, Optional.of(failed.code()));
      }
      if (reply instanceof SyncEventProtocol.Failed failed) {
        return new Answer(failed.tag(), Outcome.FAILED, Optional.of(failed.error().code()));
      }
      long tag =
          reply instanceof TaskReply task ? task.tag() : ((SyncEventProtocol.Reply) reply).tag();
      return new Answer(tag, Outcome.DONE, Optional.empty());
    }

    /** Returns whether the device has completed the request. */
    public boolean isDone() {
      return outcome == Outcome.DONE;
    }

    /** Returns whether the request has failed. */
    public boolean isFailed() {
      return outcome == Outcome.FAILED;
    }

    /** Returns whether the queue was full. */
    public boolean isBusy() {
      return outcome == Outcome.BUSY;
    }
  }

  /** A context of a {@link TaskLibrary}. */
  record OfKind(TaskKind kind) implements AnyContext {
    private static final int BYTES = 512;

    @Override
    public ActorRef<LocalMessage> opened(RunningSystem system, TaskOptions options) {
      return system.opened(TaskLibrary.of(kind), options.withKinds(kind));
    }

    @Override
    public void send(
        RunningSystem system, ActorRef<LocalMessage> context, int count, ActorRef<Object> replyTo) {
      sendTasks(system, context, count, replyTo.narrow());
    }

    /** Does the same with another type of the receiver. */
    public void sendTasks(
        RunningSystem system,
        ActorRef<LocalMessage> context,
        int count,
        ActorRef<TaskReply> replyTo) {
      BufferPool sources = system.pool(count, BYTES + AnySource.OVERHEAD);
      BufferPool destinations = system.pool(count, 2 * BYTES);
      TaskHandle object = system.object(TaskLibrary.of(kind), context);
      for (int i = 0; i < count; i++) {
        Buffer src = buffer(sources, AnySource.of(kind, i, BYTES));
        context.tell(new AnyTask(kind, object, src, buffer(destinations), i, replyTo));
      }
    }

    @Override
    public String toString() {
      return kind.toString();
    }
  }

  /** Sessions of a {@link TaskLibrary}. An actor per session sends its parts one by one. */
  record OfSessions(TaskKind kind) implements AnyContext {
    /** At most the window of the context. */
    private static final int SESSIONS = 4;

    private static final int PARTS = 8;

    @Override
    public ActorRef<LocalMessage> opened(RunningSystem system, TaskOptions options) {
      return system.opened(TaskLibrary.of(kind), options.withKinds(kind));
    }

    @Override
    public void send(
        RunningSystem system, ActorRef<LocalMessage> context, int count, ActorRef<Object> replyTo) {
      int sessions = Math.min(SESSIONS, count);
      BufferPool pool = system.pool(2 * sessions, PARTS * partBytes(system, context));
      List<TaskHandle> opened = new ArrayList<>();
      for (int i = 0; i < sessions; i++) { // before a part may end the context
        TestProbe<AnyTask.CreateReply> reply = system.kit.createTestProbe();
        context.tell(new AnyTask.OpenSession(kind, reply.getRef()));
        opened.add(Objects.requireNonNull(reply.receiveMessage().handle()));
      }
      for (int first = 0; first < sessions; first++) {
        TaskHandle session = opened.get(first);
        Buffer src = buffer(pool, AnySource.of(kind, first, pool.bufferBytes()));
        Buffer dst = buffer(pool);
        system.kit.spawn(parts(context, session, src, dst, first, sessions, count, replyTo));
      }
    }

    /** Returns the size of parts of the first variant. */
    private int partBytes(RunningSystem system, ActorRef<LocalMessage> context) {
      TestProbe<TaskCapabilities> capabilities = system.kit.createTestProbe();
      context.tell(new AnyTask.Query(capabilities.getRef()));
      return capabilities.receiveMessage().of(kind).variants().get(0).partBytes();
    }

    /** Sends the parts with each tag of a step from the first, with the same buffers. */
    private Behavior<TaskReply> parts(
        ActorRef<LocalMessage> context,
        TaskHandle session,
        Buffer src,
        Buffer dst,
        int first,
        int step,
        int count,
        ActorRef<Object> replyTo) {
      return Behaviors.setup(
          self -> {
            context.tell(new AnyTask(kind, session, src, dst, first, self.getSelf()));
            return Behaviors.receiveMessage(
                reply -> {
                  long next = reply.tag() + step;
                  if (next >= count) {
                    replyTo.tell(Answer.released(reply));
                    return Behaviors.stopped();
                  }
                  replyTo.tell(Answer.of(reply));
                  context.tell(new AnyTask(kind, session, src, dst, next, self.getSelf()));
                  return Behaviors.same();
                });
          });
    }

    @Override
    public String toString() {
      return kind.toString();
    }
  }

  /** A sync event. Its value stays 0. */
  record OfEvent(TaskKind kind) implements AnyContext {
    @Override
    public ActorRef<LocalMessage> opened(RunningSystem system, TaskOptions options) {
      TestProbe<SyncEventProtocol.OpenReply> probe = system.kit.createTestProbe();
      system.engine.tell(
          new EngineProtocol.OpenSyncEvent(
              "event",
              SyncEventOptions.defaults().withTasks(options.withKinds(kind)),
              probe.getRef()));
      return ((SyncEventProtocol.Opened) probe.receiveMessage()).context().unsafeUpcast();
    }

    @Override
    public void send(
        RunningSystem system, ActorRef<LocalMessage> context, int count, ActorRef<Object> replyTo) {
      for (int i = 0; i < count; i++) {
        context.tell(request(i, replyTo.narrow()));
      }
    }

    private EventRequest request(long tag, ActorRef<SyncEventProtocol.Reply> replyTo) {
      return switch (kind) {
        case EVENT_GET -> new SyncEventProtocol.Get(tag, replyTo);
        case EVENT_SET -> new SyncEventProtocol.Set(0, tag, replyTo);
        case EVENT_ADD -> new SyncEventProtocol.Add(0, tag, replyTo);
        default -> throw new IllegalArgumentException(kind + " is no kind of this test");
      };
    }

    @Override
    public String toString() {
      return kind.toString();
    }
  }
}

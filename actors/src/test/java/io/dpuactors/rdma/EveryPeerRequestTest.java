package io.dpuactors.rdma;

import static org.assertj.core.api.Assertions.assertThat;

import io.dpuactors.bridge.Buffer;
import io.dpuactors.bridge.BufferPool;
import io.dpuactors.bridge.DocaCode;
import io.dpuactors.engine.AnswerWatch;
import io.dpuactors.protocol.Busy;
import io.dpuactors.protocol.RdmaConnectionProtocol;
import io.dpuactors.protocol.RdmaConnectionProtocol.CompareAndSwap;
import io.dpuactors.protocol.RdmaConnectionProtocol.Completed;
import io.dpuactors.protocol.RdmaConnectionProtocol.Failed;
import io.dpuactors.protocol.RdmaConnectionProtocol.FetchAndAdd;
import io.dpuactors.protocol.RdmaConnectionProtocol.PeerRequest;
import io.dpuactors.protocol.RdmaConnectionProtocol.Read;
import io.dpuactors.protocol.RdmaConnectionProtocol.Reply;
import io.dpuactors.protocol.RdmaConnectionProtocol.Send;
import io.dpuactors.protocol.RdmaConnectionProtocol.Write;
import io.dpuactors.protocol.RdmaEventProtocol.AddToEvent;
import io.dpuactors.protocol.RdmaEventProtocol.EventValue;
import io.dpuactors.protocol.RdmaEventProtocol.GetEvent;
import io.dpuactors.protocol.RdmaEventProtocol.RemoteEvent;
import io.dpuactors.protocol.RdmaEventProtocol.SetEvent;
import io.dpuactors.protocol.RdmaOptions;
import io.dpuactors.protocol.Stop;
import io.dpuactors.protocol.Stopped;
import io.dpuactors.protocol.TaskReply.Ownership;
import io.dpuactors.testing.CleanLog;
import io.dpuactors.testing.ExpectedLog;
import io.dpuactors.testing.FreshSoftDpu;
import io.dpuactors.testing.RunningSystem;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.stream.LongStream;
import org.apache.pekko.actor.testkit.typed.javadsl.TestProbe;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.SupervisorStrategy;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Tests every kind of request of an RDMA connection as {@code EveryContextTest} tests the contexts
 * of every library: answers, Busy, deadline, lost device, stop and census. {@link AnswerWatch}
 * watches all requests.
 */
@ExtendWith({CleanLog.class, FreshSoftDpu.class})
class EveryPeerRequestTest {
  private static final int BYTES = 8;

  /** Kinds of requests. */
  enum Task {
    WRITE("rdma-write"),
    WRITE_IMMEDIATE("rdma-write-imm"),
    READ("rdma-read"),
    SEND("rdma-send"),
    SEND_IMMEDIATE("rdma-send-imm"),
    COMPARE_AND_SWAP("rdma-atomic-cmp-swp"),
    FETCH_AND_ADD("rdma-atomic-fetch-add"),
    EVENT_GET("rdma-event-get"),
    EVENT_SET("rdma-event-notify-set"),
    EVENT_ADD("rdma-event-notify-add");

    /** The device's name in fault plans. */
    final String device;

    Task(String device) {
      this.device = device;
    }

    boolean isMessage() {
      return this == SEND || this == SEND_IMMEDIATE;
    }

    boolean isOnEvent() {
      return compareTo(EVENT_GET) >= 0;
    }

    /** Returns a task on an event of the peer. */
    PeerRequest of(RemoteEvent event, long tag, ActorRef<Reply> replyTo) {
      return switch (this) {
        case EVENT_GET -> new GetEvent(event, tag, replyTo);
        case EVENT_SET -> new SetEvent(event, tag, tag, replyTo);
        case EVENT_ADD -> new AddToEvent(event, 1, tag, replyTo);
        default -> throw new IllegalArgumentException(this + " needs no event");
      };
    }

    /** Returns a message. */
    PeerRequest of(Buffer local, long tag, ActorRef<Reply> replyTo) {
      return this == SEND
          ? new Send(local, tag, replyTo)
          : new Send(local, OptionalInt.of((int) tag), tag, replyTo);
    }

    /** Returns a task on memory of the peer. */
    PeerRequest of(Buffer local, Buffer remote, long tag, ActorRef<Reply> replyTo) {
      return switch (this) {
        case WRITE -> new Write(local, remote, tag, replyTo);
        case WRITE_IMMEDIATE -> new Write(local, remote, OptionalInt.of((int) tag), tag, replyTo);
        case READ -> new Read(remote, local, tag, replyTo);
        case COMPARE_AND_SWAP -> new CompareAndSwap(remote, local, 1, 2, tag, replyTo);
        case FETCH_AND_ADD -> new FetchAndAdd(remote, local, 1, tag, replyTo);
        default -> throw new IllegalArgumentException(this + " needs no memory of the peer");
      };
    }
  }

  /** Requests on their way, under a watch. */
  private static final class Requests {
    final RdmaPair pair;
    private final BufferPool shared;
    private final AnswerWatch watch;
    private @Nullable RemoteEvent opened;
    private final ActorRef<RdmaConnectionProtocol.Command> watched;

    Requests(RunningSystem system, RdmaOptions options) {
      pair = RdmaPair.create(system, options, options.withPermissions(RdmaPair.ALL));
      pair.read(1000);
      shared = pair.shared(RdmaPair.ALL);
      watch = AnswerWatch.get(system.kit.system());
      watched =
          system.kit.spawn(
              watch.around(
                  Behaviors.receiveMessage(
                      (RdmaConnectionProtocol.Command request) -> {
                        pair.near.tell(request);
                        return Behaviors.same();
                      })));
    }

    /** Sends requests with the tags 0 to count - 1. The context may end with the first one. */
    void send(Task task, int count) {
      if (task.isOnEvent()) {
        RemoteEvent event = remoteEvent();
        for (int i = 0; i < count; i++) {
          watched.tell(task.of(event, i, pair.replies.getRef()));
        }
        return;
      }
      BufferPool local = pair.system.pool(count, BYTES);
      BufferPool remote = pair.imported(pair.share(shared), count);
      List<PeerRequest> all = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        Buffer here = RunningSystem.buffer(local, new byte[BYTES]);
        ActorRef<Reply> replyTo = pair.replies.getRef();
        all.add(
            task.isMessage()
                ? task.of(here, i, replyTo)
                : task.of(here, RdmaPair.aimed(remote, 0, BYTES), i, replyTo));
      }
      all.forEach(watched::tell);
    }

    private RemoteEvent remoteEvent() {
      RemoteEvent event = opened;
      if (event == null) {
        event = pair.opened(pair.share(pair.event("event")));
        opened = event;
      }
      return event;
    }

    /** Receives the answers and checks that each request has one. */
    List<Reply> receive(int count) {
      List<Reply> all = pair.replies.receiveSeveralMessages(count);
      assertThat(all)
          .extracting(Reply::tag)
          .containsExactlyInAnyOrderElementsOf(LongStream.range(0, count).boxed().toList());
      return all;
    }

    void release(List<Reply> all) {
      for (Reply reply : all) {
        if (!(reply instanceof Failed failed) || failed.ownership() == Ownership.RETURNED) {
          for (Buffer each : new Buffer[] {reply.src(), reply.dst()}) {
            if (each != null) {
              each.release();
            }
          }
        }
      }
    }

    /** Stops the engine. Returns its report. */
    Stopped end() {
      Stopped stopped = pair.system.stopEngine();
      assertThat(watch.unanswered()).isEmpty();
      assertThat(watch.answeredTwice()).isEmpty();
      return stopped;
    }
  }

  private static boolean isDone(Reply reply) {
    return reply instanceof Completed || reply instanceof EventValue;
  }

  @ParameterizedTest
  @EnumSource
  void everyRequestHasOneAnswer(Task task) {
    try (RunningSystem system = RunningSystem.create()) {
      Requests requests = new Requests(system, RdmaOptions.defaults());
      requests.send(task, 100);
      List<Reply> all = requests.receive(100);
      assertThat(all).allMatch(EveryPeerRequestTest::isDone);
      requests.release(all);
      assertThat(requests.end().census()).isEqualTo("empty");
    }
  }

  /** The first tasks meet a device that accepts none of them at first. The order stays. */
  @ParameterizedTest
  @EnumSource
  void aRefusedTaskIsSubmittedAgain(Task task) {
    try (RunningSystem system = RunningSystem.create()) {
      Requests requests = new Requests(system, RdmaOptions.defaults());
      FreshSoftDpu.DEVICE.faults("*:again=3:nth=2");
      requests.send(task, 20);
      List<Reply> all = requests.receive(20);
      assertThat(all).allMatch(EveryPeerRequestTest::isDone);
      assertThat(all).extracting(Reply::tag).isSorted();
      requests.release(all);
      assertThat(requests.end().census()).isEqualTo("empty");
    }
  }

  @ParameterizedTest
  @EnumSource
  void requestsBeyondWindowAndQueueGetBusy(Task task) {
    try (RunningSystem system = RunningSystem.create("dpu.rdma.queue = 2")) {
      Requests requests = new Requests(system, RdmaOptions.defaults().withWindow(3));
      FreshSoftDpu.DEVICE.faults("*:delay=200ms");
      requests.send(task, 12);
      List<Reply> all = requests.receive(12);
      assertThat(all).filteredOn(Busy.class::isInstance).isNotEmpty();
      assertThat(all).filteredOn(EveryPeerRequestTest::isDone).hasSizeGreaterThanOrEqualTo(5);
      assertThat(all).noneMatch(Failed.class::isInstance);
      requests.release(all);
      assertThat(requests.end().census()).isEqualTo("empty");
    }
  }

  @ParameterizedTest
  @EnumSource
  void aLateRequestIsAnsweredAtItsDeadline(Task task) {
    try (RunningSystem system = RunningSystem.create("dpu.rdma.deadline = 50ms")) {
      Requests requests = new Requests(system, RdmaOptions.defaults());
      FreshSoftDpu.DEVICE.faults("*:delay=1s");
      requests.send(task, 1);
      Failed failed = (Failed) requests.receive(1).get(0);
      assertThat(failed.code()).isEqualTo(DocaCode.TIME_OUT);
      assertThat(failed.ownership()).isEqualTo(Ownership.RETAINED);
      assertThat(requests.end().clean()).isTrue();
      requests.pair.replies.expectNoMessage(Duration.ZERO);
    }
  }

  @ParameterizedTest
  @EnumSource
  @ExpectedLog("the context stopped by itself")
  void allRequestsAreAnsweredAfterTheLossOfTheDevice(Task task) {
    try (RunningSystem system = RunningSystem.create()) {
      Requests requests = new Requests(system, RdmaOptions.defaults().withWindow(5));
      FreshSoftDpu.DEVICE.faults("*:delay=2ms;%s:lost:nth=20".formatted(task.device));
      requests.send(task, 40);
      List<Reply> all = requests.receive(40);
      assertThat(all).anyMatch(Failed.class::isInstance).anyMatch(EveryPeerRequestTest::isDone);
      requests.release(all);
      assertThat(requests.end().clean()).isTrue();
    }
  }

  @ParameterizedTest
  @EnumSource
  @ExpectedLog("the context stopped by itself")
  void aContextThatMayNotRestartEndsAndItsMailboxIsAnswered(Task task) {
    try (RunningSystem system = RunningSystem.create()) {
      RdmaOptions once = RdmaOptions.defaults().withSupervision(SupervisorStrategy.stop());
      Requests requests = new Requests(system, once);
      FreshSoftDpu.DEVICE.faults("%s:lost:nth=1".formatted(task.device));
      requests.send(task, 50);
      requests.pair.replies.expectTerminated(requests.pair.left);
      List<Reply> all = requests.receive(50);
      assertThat(all).anyMatch(Failed.class::isInstance);
      requests.release(all);
      assertThat(requests.end().clean()).isTrue();
    }
  }

  @ParameterizedTest
  @EnumSource
  void stopAnswersAllRequests(Task task) {
    try (RunningSystem system = RunningSystem.create()) {
      Requests requests = new Requests(system, RdmaOptions.defaults());
      FreshSoftDpu.DEVICE.faults("*:delay=1ms");
      requests.send(task, 60);
      TestProbe<Stopped> stops = system.kit.createTestProbe();
      requests.watched.tell(new Stop(stops.getRef()));
      requests.watched.tell(new Stop(stops.getRef()));
      List<Reply> all = requests.receive(60);
      assertThat(all)
          .allMatch(
              reply ->
                  isDone(reply)
                      || (reply instanceof Failed failed && failed.code() == DocaCode.SHUTDOWN));
      assertThat(stops.receiveSeveralMessages(2)).containsOnly(Stopped.CLEAN);
      requests.release(all);
      assertThat(requests.end().census()).isEqualTo("empty");
    }
  }
}

package io.dpuactors.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.dpuactors.bridge.DocaCode;
import io.dpuactors.bridge.DocaError;
import io.dpuactors.bridge.TaskHandle;
import io.dpuactors.protocol.RdmaConnectionProtocol.Completed;
import io.dpuactors.protocol.RdmaConnectionProtocol.Failed;
import io.dpuactors.protocol.RdmaConnectionProtocol.Reply;
import io.dpuactors.protocol.RdmaEventProtocol.AddToEvent;
import io.dpuactors.protocol.RdmaEventProtocol.EventRequest;
import io.dpuactors.protocol.RdmaEventProtocol.EventValue;
import io.dpuactors.protocol.RdmaEventProtocol.RemoteEvent;
import io.dpuactors.protocol.RdmaEventProtocol.RemoteEventOpened;
import io.dpuactors.protocol.RdmaEventProtocol.RemoteEventRefused;
import io.dpuactors.protocol.RdmaEventProtocol.SetEvent;
import io.dpuactors.protocol.TaskReply.Ownership;
import org.apache.pekko.actor.testkit.typed.javadsl.TestInbox;
import org.apache.pekko.actor.typed.ActorRef;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the requests of an RDMA client on a sync event of its server. */
class RdmaCounterTest {
  private static final int REQUESTS = 100;

  private final ActorRef<Reply> replyTo = TestInbox.<Reply>create().getRef();
  private final RdmaCounter counter = new RdmaCounter(Runs.of(new StillControl()));
  private long value;

  private static RemoteEvent event() {
    return new RemoteEvent(new TaskHandle(new Object(), "event", 1, false));
  }

  @BeforeEach
  void open() {
    assertThat(counter.opens()).isTrue();
    assertThat(counter.opens()).as("no answer yet").isFalse();
    counter.opened(new RemoteEventOpened(event()));
  }

  /** Does what the device does. */
  private Reply execute(EventRequest request) {
    if (request instanceof SetEvent) {
      value = request.value();
      return new Completed(request.tag(), null, null);
    }
    Reply reply = new EventValue(request.tag(), value);
    value += request instanceof AddToEvent ? request.value() : 0;
    return reply;
  }

  private static DocaError error(DocaCode code) {
    return DocaError.of("doca_task", code.value(), "why");
  }

  /** Sends a request, which fails. */
  private void fail(DocaCode code) {
    EventRequest request = counter.draw(0, replyTo);
    counter.answered(request, new Failed(0, error(code), null, null, Ownership.RETURNED));
  }

  @Test
  void rightAnswersAreAccepted() {
    for (int tag = 0; tag < REQUESTS; tag += 2) {
      EventRequest first = counter.draw(tag, replyTo);
      EventRequest second = counter.draw(tag + 1, replyTo);
      counter.answered(first, execute(first));
      counter.answered(second, execute(second));
    }
    assertThat(value).isPositive();
    assertThat(counter.wrong()).isZero();
  }

  @Test
  void anEventThatLosesItsValueIsFound() {
    for (int tag = 0; tag < REQUESTS; tag++) {
      EventRequest request = counter.draw(tag, replyTo);
      Reply reply = execute(request);
      value = 0;
      counter.answered(request, reply);
    }
    assertThat(counter.wrong()).isPositive();
  }

  /** A request that waits for a connection has not reached the device. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aRequestThatHasOnlyWaitedHasNoEffect(boolean isExecuted) {
    DocaError error = DocaError.of("client", DocaCode.TIME_OUT.value(), "why");
    for (int tag = 0; tag < REQUESTS; tag += 2) {
      EventRequest waiting = counter.draw(tag, replyTo);
      if (isExecuted) {
        execute(waiting);
      }
      counter.answered(waiting, new Failed(tag, error, null, null, Ownership.RETURNED));
      EventRequest next = counter.draw(tag + 1, replyTo);
      counter.answered(next, execute(next));
    }
    assertThat(counter.wrong() > 0).isEqualTo(isExecuted);
  }

  @Test
  void anEventOfARestartedContextIsOpenedAgain() {
    fail(DocaCode.INVALID_VALUE);
    assertThat(counter.isOpen()).isFalse();
    assertThat(counter.opens()).isTrue();
    counter.opened(new RemoteEventOpened(event()));
    assertThat(counter.isOpen()).isTrue();
  }

  @Test
  void aRefusedEventCanBeOpenedLater() {
    fail(DocaCode.INVALID_VALUE);
    assertThat(counter.opens()).isTrue();
    counter.opened(new RemoteEventRefused(error(DocaCode.BAD_STATE)));
    assertThat(counter.isOpen()).isFalse();
    assertThat(counter.opens()).isTrue();
  }

  /** A late answer about an earlier event does not concern the new one. */
  @Test
  void aRequestOnAnEarlierEventDoesNotCloseTheCurrentOne() {
    EventRequest early = counter.draw(0, replyTo);
    counter.opened(new RemoteEventOpened(event()));
    DocaError stale = error(DocaCode.INVALID_VALUE);
    counter.answered(early, new Failed(0, stale, null, null, Ownership.RETURNED));
    assertThat(counter.isOpen()).isTrue();
  }

  @Test
  void anEventThatTheServerMayHaveEndedIsNotUsed() {
    fail(DocaCode.IO_FAILED);
    assertThat(counter.isOpen()).isFalse();
    assertThat(counter.opens()).isFalse();
  }
}

package io.dpuactors.simulation;

import io.dpuactors.bridge.DocaCode;
import io.dpuactors.protocol.RdmaConnectionProtocol.Failed;
import io.dpuactors.protocol.RdmaConnectionProtocol.Reply;
import io.dpuactors.protocol.RdmaEventProtocol;
import io.dpuactors.protocol.RdmaEventProtocol.AddToEvent;
import io.dpuactors.protocol.RdmaEventProtocol.EventRequest;
import io.dpuactors.protocol.RdmaEventProtocol.EventValue;
import io.dpuactors.protocol.RdmaEventProtocol.GetEvent;
import io.dpuactors.protocol.RdmaEventProtocol.RemoteEvent;
import io.dpuactors.protocol.RdmaEventProtocol.RemoteEventOpened;
import io.dpuactors.protocol.RdmaEventProtocol.SetEvent;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.apache.pekko.actor.typed.ActorRef;
import org.jspecify.annotations.Nullable;

/**
 * A sync event of an RDMA server, which only one client changes, so each answer is known. World's
 * thread.
 */
final class RdmaCounter {
  private static final int MAX_SUMMAND = 3;

  private final Run run;
  private final RdmaNumber number = new RdmaNumber();

  /** The change by each {@link SetEvent} without an answer, by tag. */
  private final Map<Long, Long> changes = new HashMap<>();

  private @Nullable RemoteEvent event;
  private boolean isOpening;
  private boolean mayHaveEnded;

  RdmaCounter(Run run) {
    this.run = run;
  }

  /** Returns how many answers had a wrong value. */
  int wrong() {
    return number.wrong();
  }

  /** The connection has ended. */
  void disconnected() {
    number.disconnected();
  }

  /** Returns whether the client can send requests on the event. */
  boolean isOpen() {
    return event != null;
  }

  /**
   * Returns whether the client must open the event, and notes that it does. A request on an event
   * that the server has ended would end the connection.
   */
  boolean opens() {
    boolean opens = event == null && !isOpening && !mayHaveEnded;
    isOpening |= opens;
    return opens;
  }

  /** Accepts the answer to the command that opens the event. */
  void opened(RdmaEventProtocol.OpenReply reply) {
    isOpening = false;
    event = reply instanceof RemoteEventOpened opened ? opened.event() : null;
  }

  /** Draws a request. */
  EventRequest draw(long tag, ActorRef<Reply> replyTo) {
    RemoteEvent known = Objects.requireNonNull(event);
    int kind = run.draw(0, 3);
    int summand = run.draw(1, MAX_SUMMAND);
    if (kind == 0) {
      return new GetEvent(known, tag, replyTo);
    }
    long value = number.predicted() + summand;
    number.requested(summand);
    if (kind > 1 || !number.isExact()) {
      return new AddToEvent(known, summand, tag, replyTo);
    }
    changes.put(tag, (long) summand);
    return new SetEvent(known, value, tag, replyTo);
  }

  /** Checks the answer to a request. */
  void answered(EventRequest request, Reply reply) {
    Long set = changes.remove(request.tag());
    long change = set == null ? request.value() : set;
    if (RdmaModel.isRefused(reply)) {
      number.refused(change);
    } else if (reply instanceof Failed failed) {
      failed(request, failed.code());
      number.failed(change);
      if (set != null) {
        number.lose(); // a late task may set an earlier value
      }
    } else {
      run.reached(request.kind().name());
      completed(request, change, reply);
    }
  }

  private void completed(EventRequest request, long change, Reply reply) {
    if (!(reply instanceof EventValue found)) {
      run.check(request instanceof SetEvent, "no value: %s", reply);
      number.set(request.value(), change);
    } else if (request instanceof AddToEvent) {
      number.added(found.value(), change);
    } else {
      number.found(found.value());
    }
  }

  /** An event of the context before its restart can be opened again. */
  private void failed(EventRequest request, DocaCode code) {
    if (request.event().equals(event) && code == DocaCode.INVALID_VALUE) {
      event = null;
    } else if (code == DocaCode.IO_FAILED) {
      mayHaveEnded = true;
      event = null;
    }
  }
}

package io.dpuactors.streams;

import io.dpuactors.bridge.DocaCode;
import io.dpuactors.bridge.DocaError;
import io.dpuactors.bridge.DocaException;
import io.dpuactors.protocol.ConnectionEvent.Closed;
import io.dpuactors.protocol.ConnectionEvent.Message;
import io.dpuactors.protocol.ConnectionProtocol;
import io.dpuactors.protocol.ConnectionProtocol.ConnectionInfo;
import io.dpuactors.protocol.ConnectionProtocol.GetInfo;
import io.dpuactors.protocol.ConnectionProtocol.SendReply;
import io.dpuactors.protocol.ContextReply;
import io.dpuactors.protocol.MessageFraming;
import io.dpuactors.protocol.Stop;
import io.dpuactors.streams.StreamMessage.Fail;
import io.dpuactors.streams.StreamMessage.Mark;
import io.dpuactors.streams.StreamMessage.Open;
import org.apache.pekko.actor.Terminated;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.javadsl.Adapter;
import org.apache.pekko.stream.AbruptStageTerminationException;
import org.apache.pekko.stream.Shape;
import org.apache.pekko.stream.stage.GraphStageLogic.StageActor;
import org.apache.pekko.stream.stage.TimerGraphStageLogic;
import org.jspecify.annotations.Nullable;
import scala.runtime.BoxedUnit;

/**
 * The part of a stage that exchanges messages with the peer: it opens the connection, sends, and
 * closes. After both directions have ended, each end sends CLOSE. The stage completes when it has
 * sent and received CLOSE: an end that closed earlier would fail the last messages of the other.
 */
abstract class PeerLogic extends TimerGraphStageLogic {
  private enum Limit {
    OPEN,
    CLOSE
  }

  final StreamEnd end;
  private final StreamLimits.Source source;
  private final ConnectionStage.Opening opening;

  @SuppressWarnings("NullAway.Init") // preStart sets it
  private StreamLimits limits;

  @SuppressWarnings("NullAway.Init") // preStart sets it
  private Sender sender;

  private @Nullable ActorRef<ConnectionProtocol.Command> connection;
  private @Nullable DocaException sendFailure;
  private int maxPartBytes;
  private int maxElementBytes = Integer.MAX_VALUE; // unknown at first; the grants limit parts
  private boolean isOpen;
  private boolean isClosing;
  private boolean isPeerClosing;
  private boolean hasEnded;

  /** The stream has failed, and the stage stays until the connection has the failure. */
  private boolean isParting;

  PeerLogic(
      Shape shape, StreamLimits.Source source, ConnectionStage.Opening opening, StreamEnd end) {
    super(shape);
    this.source = source;
    this.opening = opening;
    this.end = end;
  }

  /** Handles a message of the peer, other than OPEN and CLOSE. */
  abstract void onPeer(StreamMessage message);

  /** The peer permits further elements. */
  abstract void onGrant(int elements);

  /** The device has a message, so that a further one may be sent. */
  abstract void onRoom();

  /** Returns whether both directions have ended. */
  abstract boolean hasBothEnded();

  /** Returns whether the downstream has all elements. */
  abstract boolean isDrained();

  @Override
  public void preStart() {
    ActorSystem<?> system = Adapter.toTyped(materializer().system());
    limits = source.of(system);
    StageActor stage =
        getStageActor(
            letter -> {
              onMessage(letter._2());
              return BoxedUnit.UNIT;
            });
    sender = new Sender(self(), limits.inFlight());
    sender.send(new Open(limits.granted()));
    setKeepGoing(true); // until the last message is sent
    scheduleOnce(Limit.OPEN, limits.openDeadline());
    Relay.Attach attach = new Relay.Attach(self(), end);
    ActorRef<Relay.Command> relay = opening.open(attach, system);
    if (relay != null) {
      stage.watch(Adapter.toClassic(relay)); // a relay that has ended already sends nothing
      relay.tell(attach);
    }
  }

  private <M> ActorRef<M> self() {
    return Adapter.toTyped(stageActor().ref());
  }

  /** Returns the number of elements that the peer may send ahead of the downstream. */
  int granted() {
    return limits.granted();
  }

  void send(StreamMessage message) {
    sender.send(message);
  }

  /** Returns whether an element would be sent at once. */
  boolean hasRoom() {
    return isOpen && sender.hasRoom();
  }

  /** Returns whether the device has all messages. */
  boolean isSent() {
    return sender.isOpen() && sender.isIdle();
  }

  private void onMessage(Object message) {
    if (isParting) {
      sender.part(message);
      setKeepGoing(sender.isBehind());
    } else if (message instanceof Relay.Attached attached) {
      end.awaitClose();
      connection = attached.line();
      attached.line().tell(new GetInfo(self()));
    } else if (message instanceof ConnectionInfo info) {
      onInfo(info);
    } else if (message instanceof Message one) {
      receive(one);
    } else if (message instanceof SendReply reply) {
      onSent(reply);
    } else if (message instanceof Closed closed) {
      onClosed(closed.error().map(DocaException::new).orElse(null));
    } else if (message instanceof ContextReply.OpenFailed<?> failed) {
      fail(new DocaException(failed.error()));
    } else if (message instanceof Terminated) {
      onClosed(null);
    }
  }

  private void onInfo(ConnectionInfo info) {
    maxPartBytes =
        limits.framing().map(MessageFraming::maxPayloadBytes).orElse(info.maxMessageBytes())
            - StreamMessage.HEADER_BYTES;
    maxElementBytes = Math.max(maxPartBytes, limits.maxElementBytes());
    ActorRef<ConnectionProtocol.Command> open = connection;
    if (open != null) {
      sender.open(open);
      onRoom();
    }
  }

  private void receive(Message message) {
    try {
      receive(StreamMessage.decode(message.bytes()));
    } catch (DocaException e) {
      fail(e);
    }
  }

  private void receive(StreamMessage message) {
    if (isOpen == message instanceof Open) {
      throw exception(
          DocaCode.BAD_STATE, "the first message of the peer, and no other, must be OPEN");
    }
    if (message instanceof Open open) {
      isOpen = true;
      cancelTimer(Limit.OPEN);
      onGrant(open.granted());
    } else if (message == Mark.CLOSE) {
      isPeerClosing = true;
      completeIfEnded();
    } else {
      onPeer(message);
    }
  }

  private void onSent(SendReply reply) {
    DocaError error = Sender.failure(reply);
    if (error == null) {
      sender.answered();
    } else if (sendFailure == null) {
      onSendFailed(error);
    }
    onRoom();
  }

  /** Waits for the close: the peer may have sent its last messages before it closed. */
  private void onSendFailed(DocaError error) {
    sendFailure = new DocaException(error);
    sender.close();
    scheduleOnce(Limit.CLOSE, limits.openDeadline());
    if (Sender.STAYS_OPEN.contains(error.code()) && connection != null) {
      connection.tell(new Stop()); // the connection itself has not failed
    }
  }

  /**
   * A close after CLOSE of the peer is the orderly end. Otherwise the stream fails with the error
   * of the close: the device may have ended messages in flight before it reported the close.
   *
   * @param error null after a close at this end
   */
  private void onClosed(@Nullable DocaException error) {
    sender.close();
    connection = null;
    if (isPeerClosing && hasBothEnded()) {
      completeIfEnded();
    } else {
      Throwable failure = Failures.first(error, sendFailure);
      fail(failure != null ? failure : exception(DocaCode.SHUTDOWN, "the connection has closed"));
    }
  }

  /** Completes the stage when both directions have ended and both ends have sent CLOSE. */
  final void completeIfEnded() {
    if (!hasBothEnded()) {
      return;
    }
    if (!isClosing) {
      isClosing = true;
      sender.send(Mark.CLOSE);
      scheduleOnce(Limit.CLOSE, limits.openDeadline());
    }
    if (isPeerClosing) {
      cancelTimer(Limit.CLOSE);
    }
    if (isPeerClosing && isDrained() && sender.isIdle()) {
      hasEnded = true;
      completeStage();
    }
  }

  /** Returns the number of bytes of an element that one message carries. */
  int maxPartBytes() {
    return maxPartBytes;
  }

  int maxElementBytes() {
    return maxElementBytes;
  }

  /** Sends the failure of this stream to the peer, then fails. The peer closes the connection. */
  final void failBoth(Throwable failure) {
    if (sender.isOpen()) {
      sender.send(new Fail(failure.toString()));
      end.awaitPeer();
    }
    fail(failure);
    if (sender.isBehind()) {
      isParting = true;
      scheduleOnce(Limit.CLOSE, limits.openDeadline());
      setKeepGoing(true); // all ports are closed
    }
  }

  final void fail(Throwable failure) {
    hasEnded = true;
    end.fail(failure);
    failStage(failure);
  }

  @Override
  public void onTimer(Object limit) {
    String why = limit == Limit.OPEN ? "opened no stream" : "did not close the connection";
    DocaException known = sendFailure;
    fail(
        known != null
            ? known
            : exception(
                DocaCode.TIME_OUT,
                "the peer %s within %d ms".formatted(why, limits.openDeadline().toMillis())));
  }

  @Override
  public void postStop() {
    if (!hasEnded) {
      end.fail(new AbruptStageTerminationException(this));
    }
    end.stopped();
  }

  static DocaException exception(DocaCode code, String why) {
    return Failures.exception("stream over a connection", code, why);
  }
}

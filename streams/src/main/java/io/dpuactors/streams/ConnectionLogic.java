package io.dpuactors.streams;

import io.dpuactors.bridge.DocaCode;
import io.dpuactors.bridge.DocaException;
import io.dpuactors.streams.StreamMessage.Element;
import io.dpuactors.streams.StreamMessage.Fail;
import io.dpuactors.streams.StreamMessage.Grant;
import io.dpuactors.streams.StreamMessage.Mark;
import java.util.ArrayDeque;
import java.util.Queue;
import org.apache.pekko.stream.FlowShape;
import org.apache.pekko.stream.SubscriptionWithCancelException;
import org.apache.pekko.stream.stage.InHandler;
import org.apache.pekko.stream.stage.OutHandler;
import org.apache.pekko.util.ByteString;

/**
 * The logic of one end of a stream over a connection. Both directions end apart.
 *
 * <pre>
 *   outgoing: upstream completes --all messages sent--> END --> ended
 *             the peer sends CANCEL --> upstream is cancelled --> ended
 *   incoming: the peer sends END --> downstream completes --> ended
 *             downstream cancels --> CANCEL --> ended
 * </pre>
 */
final class ConnectionLogic extends PeerLogic implements InHandler, OutHandler {
  private final FlowShape<ByteString, ByteString> shape;
  private final Queue<ByteString> received = new ArrayDeque<>();

  /** Elements that this end may send. */
  private long granted;

  /** Elements that the peer may send. */
  private int expected;

  /** Elements that went downstream since the last grant. */
  private int taken;

  private boolean isUpstreamFinished;
  private boolean isOutgoingEnded;
  private boolean isIncomingEnded;

  ConnectionLogic(
      FlowShape<ByteString, ByteString> shape,
      StreamLimits.Source limits,
      ConnectionStage.Opening opening,
      StreamEnd end) {
    super(shape, limits, opening, end);
    this.shape = shape;
    setHandler(shape.in(), this);
    setHandler(shape.out(), this);
  }

  @Override
  public void preStart() {
    super.preStart();
    expected = granted();
  }

  @Override
  void onPeer(StreamMessage message) {
    if (message instanceof Grant grant) {
      onGrant(grant.elements());
    } else if (message instanceof Element element) {
      onElement(element.bytes());
    } else if (message instanceof Fail failure) {
      fail(exception(DocaCode.IO_FAILED, "the peer failed: " + failure.reason()));
    } else if (message == Mark.END) {
      isIncomingEnded = true;
      pushIfPulled();
    } else {
      isOutgoingEnded = true;
      cancel(shape.in());
      completeIfEnded();
    }
  }

  @Override
  void onGrant(int elements) {
    granted += elements;
    pullIfGranted();
  }

  private void onElement(ByteString element) {
    if (--expected < 0) {
      throw exception(DocaCode.FULL, "the peer sent more elements than granted");
    }
    if (!isIncomingEnded) { // otherwise sent before the peer received CANCEL
      received.add(element);
      pushIfPulled();
    }
  }

  private void pushIfPulled() {
    if (!received.isEmpty() && isAvailable(shape.out())) {
      push(shape.out(), end.out(received.remove()));
      taken++;
      grantTaken();
    }
    if (isIncomingEnded && received.isEmpty()) {
      complete(shape.out());
      completeIfEnded();
    }
  }

  /** Grants many elements at once: half of them are in flight while the grant is. */
  private void grantTaken() {
    if (!isIncomingEnded && taken >= Math.max(1, granted() / 2)) {
      expected += taken;
      send(new Grant(taken));
      taken = 0;
    }
  }

  private void pullIfGranted() {
    if (granted > 0 && hasRoom() && !hasBeenPulled(shape.in()) && !isClosed(shape.in())) {
      pull(shape.in());
    }
  }

  @Override
  void onRoom() {
    pullIfGranted();
    endIfSent();
  }

  @Override
  boolean hasBothEnded() {
    return isOutgoingEnded && isIncomingEnded;
  }

  @Override
  boolean isDrained() {
    return received.isEmpty();
  }

  @Override
  public void onPush() {
    granted--;
    ByteString element = end.in(grab(shape.in()));
    try {
      checkSize(element.size());
    } catch (DocaException e) {
      failBoth(e);
      return;
    }
    send(new Element(element));
    pullIfGranted();
  }

  @Override
  public void onPull() {
    pushIfPulled();
  }

  @Override
  public void onUpstreamFinish() {
    isUpstreamFinished = true;
    endIfSent();
  }

  /** END follows the last element only if the device has all of them: it confirms them. */
  private void endIfSent() {
    if (isUpstreamFinished && !isOutgoingEnded && isSent()) {
      isOutgoingEnded = true;
      send(Mark.END);
    }
    completeIfEnded();
  }

  @Override
  public void onUpstreamFailure(Throwable failure) {
    failBoth(failure);
  }

  @Override
  public void onDownstreamFinish(Throwable cause) {
    if (!(cause instanceof SubscriptionWithCancelException.NonFailureCancellation)) {
      failBoth(cause);
      return;
    }
    received.clear();
    if (!isIncomingEnded) {
      isIncomingEnded = true;
      send(Mark.CANCEL);
    }
    completeIfEnded();
  }
}

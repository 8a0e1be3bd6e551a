package io.dpuactors.streams;

import io.dpuactors.bridge.DocaCode;
import io.dpuactors.streams.StreamMessage.Element;
import io.dpuactors.streams.StreamMessage.Fail;
import io.dpuactors.streams.StreamMessage.Grant;
import io.dpuactors.streams.StreamMessage.Mark;
import io.dpuactors.streams.StreamMessage.Part;
import java.io.ByteArrayOutputStream;
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
 *
 * <p>An element that is longer than a message passes in parts. Each message uses a granted element.
 * The receiver grants another one at once for a part, and later for the end of an element, when the
 * element goes downstream.
 */
final class ConnectionLogic extends PeerLogic implements InHandler, OutHandler {
  private final FlowShape<ByteString, ByteString> shape;
  private final Queue<ByteString> received = new ArrayDeque<>();

  /** Received parts of an element without its end. */
  private final ByteArrayOutputStream begun = new ByteArrayOutputStream();

  /** Messages of one element that wait for a grant. */
  private final Queue<StreamMessage> waiting = new ArrayDeque<>();

  /** Elements and parts that this end may send. */
  private long granted;

  /** Elements and parts that the peer may send. */
  private int expected;

  /** Elements that went downstream, and parts that arrived, since the last grant. */
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
    } else if (message instanceof Part part) {
      onPart(part.bytes());
    } else if (message instanceof Fail failure) {
      fail(exception(DocaCode.IO_FAILED, "the peer failed: " + failure.reason()));
    } else if (message == Mark.END) {
      onEnd();
    } else {
      isOutgoingEnded = true;
      waiting.clear();
      cancel(shape.in());
      completeIfEnded();
    }
  }

  @Override
  void onGrant(int elements) {
    granted += elements;
    sendGranted();
    pullIfGranted();
  }

  private void sendGranted() {
    while (granted > 0 && !waiting.isEmpty()) {
      granted--;
      send(waiting.remove());
    }
  }

  private void onElement(ByteString element) {
    useGrant();
    if (isIncomingEnded) { // sent before the peer received CANCEL
      return;
    }
    if (begun.size() == 0) {
      received.add(element);
    } else if (append(element)) {
      received.add(ByteString.fromArrayUnsafe(begun.toByteArray()));
      begun.reset();
    } else {
      return;
    }
    pushIfPulled();
  }

  private void onPart(ByteString part) {
    useGrant();
    if (!isIncomingEnded && append(part)) {
      taken++;
      grantTaken();
    }
  }

  private void useGrant() {
    if (--expected < 0) {
      throw exception(DocaCode.FULL, "the peer sent more elements than granted");
    }
  }

  /** Appends to the element that has begun. Fails both streams if the element is too long. */
  private boolean append(ByteString part) {
    boolean fits = fits((long) begun.size() + part.size());
    if (fits) {
      begun.writeBytes(part.toArrayUnsafe());
    }
    return fits;
  }

  /** Returns whether an element has at most the largest size. Otherwise fails both streams. */
  private boolean fits(long bytes) {
    if (bytes > maxElementBytes()) {
      failBoth(
          exception(
              DocaCode.INVALID_VALUE,
              "the element has %d bytes; the limit is %d".formatted(bytes, maxElementBytes())));
    }
    return bytes <= maxElementBytes();
  }

  private void onEnd() {
    if (begun.size() > 0) {
      throw exception(DocaCode.BAD_STATE, "the peer ended its stream inside of an element");
    }
    isIncomingEnded = true;
    pushIfPulled();
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
    if (granted > 0
        && waiting.isEmpty()
        && hasRoom()
        && !hasBeenPulled(shape.in())
        && !isClosed(shape.in())) {
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
    ByteString element = end.in(grab(shape.in()));
    if (fits(element.size())) {
      cut(element);
      sendGranted();
      pullIfGranted();
    }
  }

  /** Cuts an element into its messages. */
  private void cut(ByteString element) {
    ByteString rest = element;
    while (rest.size() > maxPartBytes()) {
      waiting.add(new Part(rest.take(maxPartBytes())));
      rest = rest.drop(maxPartBytes());
    }
    waiting.add(new Element(rest));
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
    if (isUpstreamFinished && !isOutgoingEnded && waiting.isEmpty() && isSent()) {
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
    begun.reset();
    if (!isIncomingEnded) {
      isIncomingEnded = true;
      send(Mark.CANCEL);
    }
    completeIfEnded();
  }
}

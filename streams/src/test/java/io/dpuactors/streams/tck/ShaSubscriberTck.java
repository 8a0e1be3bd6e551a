package io.dpuactors.streams.tck;

import io.dpuactors.protocol.ShaProtocol.Algorithm;
import io.dpuactors.streams.Sha;
import io.dpuactors.streams.StreamOptions;
import org.apache.pekko.stream.javadsl.Source;
import org.apache.pekko.util.ByteString;
import org.reactivestreams.Subscriber;
import org.reactivestreams.tck.SubscriberBlackboxVerification;

/** The sink of a digest as a subscriber. */
public final class ShaSubscriberTck extends SubscriberBlackboxVerification<ByteString> {
  /** Creates the tests. */
  public ShaSubscriberTck() {
    super(TckSystem.environment());
  }

  @Override
  public Subscriber<ByteString> createSubscriber() {
    TckSystem system = TckSystem.current();
    return Source.<ByteString>asSubscriber()
        .to(Sha.sink(system.engine(), system.sha, Algorithm.SHA256, StreamOptions.of(64)))
        .run(system.actors());
  }

  @Override
  public ByteString createElement(int number) {
    return TckSystem.element(number);
  }
}

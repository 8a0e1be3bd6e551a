package io.dpuactors.streams.tck;

import org.apache.pekko.stream.javadsl.AsPublisher;
import org.apache.pekko.stream.javadsl.Sink;
import org.apache.pekko.stream.javadsl.Source;
import org.apache.pekko.util.ByteString;
import org.reactivestreams.Publisher;
import org.reactivestreams.tck.PublisherVerification;

/** The kit's tests of publishers. */
abstract class PublisherTck extends PublisherVerification<ByteString> {
  PublisherTck() {
    super(TckSystem.environment());
  }

  abstract Source<ByteString, ?> source(TckSystem system, Source<ByteString, ?> elements);

  @Override
  public Publisher<ByteString> createPublisher(long elements) {
    Source<ByteString, ?> numbers =
        Source.range(1, (int) Math.min(elements, Integer.MAX_VALUE)).map(TckSystem::element);
    return publisher(source(TckSystem.current(), numbers));
  }

  @Override
  public Publisher<ByteString> createFailedPublisher() {
    return publisher(
        source(TckSystem.current(), Source.failed(new IllegalStateException("failed"))));
  }

  private static Publisher<ByteString> publisher(Source<ByteString, ?> source) {
    return source.runWith(
        Sink.asPublisher(AsPublisher.WITHOUT_FANOUT), TckSystem.current().actors());
  }
}

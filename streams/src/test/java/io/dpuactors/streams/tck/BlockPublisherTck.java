package io.dpuactors.streams.tck;

import org.apache.pekko.stream.javadsl.Source;
import org.apache.pekko.util.ByteString;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;

/** The blocks of a consumer as a publisher. */
public final class BlockPublisherTck extends PublisherTck {
  @Override
  Source<ByteString, ?> source(TckSystem system, Source<ByteString, ?> elements) {
    return system.blocks.source(elements);
  }

  /**
   * Skips the tests of a publisher that fails before a request: this one reads a failure from a
   * block, as an element, when the subscriber requests it. {@code BlockEndTest} tests failures.
   */
  @Override
  public @Nullable Publisher<ByteString> createFailedPublisher() {
    return null;
  }
}

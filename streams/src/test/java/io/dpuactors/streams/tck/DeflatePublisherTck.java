package io.dpuactors.streams.tck;

import io.dpuactors.streams.Deflate;
import io.dpuactors.streams.StreamOptions;
import org.apache.pekko.stream.javadsl.Source;
import org.apache.pekko.util.ByteString;

/** A source with a flow of compression as a publisher. */
public final class DeflatePublisherTck extends PublisherTck {
  @Override
  Source<ByteString, ?> source(TckSystem system, Source<ByteString, ?> elements) {
    return elements.via(Deflate.flow(system.engine(), system.compress, StreamOptions.of(64)));
  }
}

package io.dpuactors.streams.tck;

import io.dpuactors.protocol.ClientOptions;
import io.dpuactors.streams.Comch;
import org.apache.pekko.stream.javadsl.Source;
import org.apache.pekko.util.ByteString;

/** The elements that a server returns, as a publisher of its client. */
public final class ConnectionPublisherTck extends PublisherTck {
  @Override
  Source<ByteString, ?> source(TckSystem system, Source<ByteString, ?> elements) {
    return elements.via(
        Comch.outgoingConnection(system.engine(), ClientOptions.of(TckSystem.ECHO)));
  }
}

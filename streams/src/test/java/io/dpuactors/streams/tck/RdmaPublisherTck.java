package io.dpuactors.streams.tck;

import io.dpuactors.protocol.RdmaClientOptions;
import io.dpuactors.streams.Rdma;
import org.apache.pekko.stream.javadsl.Source;
import org.apache.pekko.util.ByteString;

/** The elements that a server returns over RDMA, as a publisher of its client. */
public final class RdmaPublisherTck extends PublisherTck {
  @Override
  Source<ByteString, ?> source(TckSystem system, Source<ByteString, ?> elements) {
    return elements.via(
        Rdma.outgoingConnection(
            system.engine(),
            system.rdma,
            RdmaClientOptions.of("127.0.0.1", TckSystem.PORT),
            TckSystem.MESSAGES));
  }
}

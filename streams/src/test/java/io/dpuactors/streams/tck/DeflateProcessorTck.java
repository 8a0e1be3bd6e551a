package io.dpuactors.streams.tck;

import io.dpuactors.streams.Deflate;
import io.dpuactors.streams.Inflate;
import io.dpuactors.streams.StreamOptions;
import org.apache.pekko.stream.javadsl.Flow;
import org.apache.pekko.util.ByteString;

/** Compression and decompression as one processor. */
public final class DeflateProcessorTck extends ProcessorTck {
  @Override
  Flow<ByteString, ByteString, ?> flow(TckSystem system) {
    StreamOptions options = StreamOptions.of(64);
    return Deflate.flow(system.engine(), system.compress, options)
        .via(Inflate.flow(system.engine(), system.compress, options));
  }
}

package io.dpuactors.streams.tck;

import io.dpuactors.streams.Dma;
import io.dpuactors.streams.StreamOptions;
import org.apache.pekko.stream.javadsl.Flow;
import org.apache.pekko.util.ByteString;

/** The flow of copies as a processor. */
public final class DmaProcessorTck extends ProcessorTck {
  @Override
  Flow<ByteString, ByteString, ?> flow(TckSystem system) {
    return Dma.flow(system.engine(), system.dma, StreamOptions.of(64));
  }
}

package io.dpuactors.streams.tck;

import io.dpuactors.streams.AesGcm;
import io.dpuactors.streams.StreamOptions;
import javax.crypto.SecretKey;
import javax.crypto.spec.SecretKeySpec;
import org.apache.pekko.stream.javadsl.Flow;
import org.apache.pekko.util.ByteString;

/** Encryption and decryption as one processor. */
public final class AesGcmProcessorTck extends ProcessorTck {
  private static final SecretKey KEY = new SecretKeySpec(new byte[16], "AES");

  @Override
  Flow<ByteString, ByteString, ?> flow(TckSystem system) {
    StreamOptions options = StreamOptions.of(64);
    return AesGcm.encrypt(system.engine(), system.aes, KEY, options)
        .via(AesGcm.decrypt(system.engine(), system.aes, KEY, options));
  }
}

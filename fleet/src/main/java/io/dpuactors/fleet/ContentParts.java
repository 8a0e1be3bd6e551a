package io.dpuactors.fleet;

import com.typesafe.config.Config;
import io.dpuactors.fleet.FleetMessage.BlockContent;
import io.dpuactors.fleet.FleetMessage.FetchReply;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.apache.pekko.util.ByteString;
import org.jspecify.annotations.Nullable;

/**
 * Joins the parts of the content of a block. Thread: its worker's.
 *
 * <p>A receiver of Artery copies the bytes of an incomplete frame after every 16 pieces. With TLS a
 * piece has 16 KiB, so that a frame of 1 MiB causes four copies, of 2 MiB in all on average. A part
 * of 256 KiB causes one, of 128 KiB.
 */
final class ContentParts {
  /** Largest part with TLS. */
  static final int TLS_BYTES = 16 * (16 << 10);

  private ByteString joined = ByteString.emptyByteString();

  /** Returns the largest part that a member sends. */
  static int maxBytes(Config config) {
    return config.getString("dpu.fleet.tls-dir").isEmpty()
        ? FleetMessage.MAX_BLOCK_BYTES
        : TLS_BYTES;
  }

  /** Copies the bytes from 0 to the limit of a buffer into parts. */
  static List<FetchReply> split(long id, ByteBuffer content, int maxBytes) {
    int total = content.limit();
    List<FetchReply> parts = new ArrayList<>();
    for (int offset = 0; offset < total; offset += maxBytes) {
      ByteBuffer part = content.slice(offset, Math.min(maxBytes, total - offset));
      parts.add(new BlockContent(id, offset, total, ByteString.fromByteBuffer(part)));
    }
    return parts;
  }

  /**
   * Adds a part. The first part begins a new content. A part after a lost one has no effect.
   *
   * @return the whole content after its last part; otherwise null
   */
  @Nullable ByteString add(BlockContent part) {
    if (part.offset() == 0) {
      clear();
    }
    if (part.offset() != joined.size()) {
      return null;
    }
    joined = joined.concat(part.content());
    if (joined.size() < part.total()) {
      return null;
    }
    ByteString content = joined;
    clear();
    return content;
  }

  /** Forgets the parts of a content that is not complete. */
  void clear() {
    joined = ByteString.emptyByteString();
  }
}

package io.dpuactors.service;

import io.dpuactors.bridge.DocaCode;
import io.dpuactors.bridge.DocaError;
import io.dpuactors.protocol.BufferReply;
import io.dpuactors.protocol.CompressProtocol.Inflate;
import io.dpuactors.protocol.TaskReply;
import java.nio.ByteBuffer;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;

/** Inflates with the CPU, to check the results of a remote device. */
final class LocalInflate {
  private LocalInflate() {}

  /** Inflates and replies on the calling thread. */
  static void answer(Inflate request) {
    Inflater inflater = new Inflater(/* nowrap= */ true);
    try {
      ByteBuffer out = request.dst().bytes().clear();
      inflater.setInput(request.src().bytes().clear().limit(request.src().length()));
      int made;
      do {
        made = inflater.inflate(out);
      } while (made > 0 && out.hasRemaining());
      if (!inflater.finished() && inflater.inflate(ByteBuffer.allocate(1)) > 0) {
        request.refuse(error("the content does not fit into %d bytes".formatted(out.capacity())));
      } else if (!inflater.finished()) {
        request.refuse(error("the deflate stream is truncated"));
      } else if (inflater.getRemaining() > 0) {
        int more = inflater.getRemaining();
        request.refuse(error("%d bytes follow the deflate stream".formatted(more)));
      } else {
        request.dst().length(out.position());
        int crc32 = BlockCrc.of(request.dst());
        BufferReply.send(
            request.replyTo(),
            new TaskReply.Completed(request.tag(), request.src(), request.dst(), crc32, 0));
      }
    } catch (DataFormatException e) {
      request.refuse(error(String.valueOf(e.getMessage())));
    } finally {
      inflater.end();
    }
  }

  private static DocaError error(String why) {
    return DocaError.of("inflate", DocaCode.IO_FAILED, why);
  }
}

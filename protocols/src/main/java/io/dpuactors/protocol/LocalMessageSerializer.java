package io.dpuactors.protocol;

import io.dpuactors.bridge.DocaCode;
import io.dpuactors.bridge.DocaError;
import org.apache.pekko.serialization.JSerializer;

/**
 * Refuses to send a {@link LocalMessage} to another node. A {@link Request} is answered with {@code
 * NOT_SUPPORTED}, on the node of its sender; Pekko logs the error of every message. Registered in
 * the module's {@code reference.conf}. Any thread.
 */
public final class LocalMessageSerializer extends JSerializer {
  private static final int IDENTIFIER = 0x647075; // "dpu"

  /** Called by Pekko, by reflection. */
  public LocalMessageSerializer() {}

  @Override
  public int identifier() {
    return IDENTIFIER;
  }

  @Override
  public boolean includeManifest() {
    return false;
  }

  /**
   * Answers a request, then throws.
   *
   * @throws UnsupportedOperationException always; it names the message and what to do instead
   */
  @Override
  public byte[] toBinary(Object message) {
    String why =
        message.getClass().getName()
            + " is local only: engines and contexts serve actors of the same process. Send another"
            + " message to an actor on the engine's node, and let that actor use the engine";
    if (message instanceof Request request) {
      request.refuse(DocaError.of("send", DocaCode.NOT_SUPPORTED, why));
    }
    throw new UnsupportedOperationException(why);
  }

  /** Never called: no node sends such a message. */
  @Override
  public Object fromBinaryJava(byte[] bytes, Class<?> manifest) {
    throw new UnsupportedOperationException("messages of engines and contexts are local only");
  }
}

package io.dpuactors.fleet;

import io.dpuactors.bridge.TaskKind;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.ActorRefResolver;
import org.apache.pekko.util.ByteString;

/**
 * Reads the fields that {@link WireWriter} writes. It trusts no length. Every method throws
 * IllegalArgumentException or BufferUnderflowException for damaged input.
 */
final class WireReader {
  private final ByteBuffer buffer;
  private final ActorRefResolver refs;

  WireReader(ByteBuffer buffer, ActorRefResolver refs) {
    this.buffer = buffer.order(ByteOrder.LITTLE_ENDIAN);
    this.refs = refs;
  }

  int integer() {
    return buffer.getInt();
  }

  long number() {
    return buffer.getLong();
  }

  TaskKind kind() {
    return TaskKind.of(Byte.toUnsignedInt(buffer.get()));
  }

  String text() {
    int length = Short.toUnsignedInt(buffer.getShort());
    return new String(take("a text", length, WireWriter.MAX_TEXT_BYTES), StandardCharsets.UTF_8);
  }

  <T> ActorRef<T> ref() {
    return refs.resolveActorRef(text());
  }

  ByteString bytes() {
    return ByteString.fromArrayUnsafe(
        take("content", buffer.getInt(), FleetMessage.MAX_BLOCK_BYTES));
  }

  private byte[] take(String what, int length, int limit) {
    if (length < 0 || length > limit || length > buffer.remaining()) {
      throw new IllegalArgumentException(
          "%s of %d bytes: the limit is %d, the message has %d"
              .formatted(what, length, limit, buffer.remaining()));
    }
    byte[] bytes = new byte[length];
    buffer.get(bytes);
    return bytes;
  }
}

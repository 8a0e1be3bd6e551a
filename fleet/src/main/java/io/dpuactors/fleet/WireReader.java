package io.dpuactors.fleet;

import io.dpuactors.bridge.TaskKind;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.ActorRefResolver;
import org.apache.pekko.util.ByteString;

/**
 * Reads the fields that {@link WireWriter} writes. The reader checks every length. Every method
 * throws IllegalArgumentException or BufferUnderflowException for damaged input.
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
    int length = check("a text", Short.toUnsignedInt(buffer.getShort()), WireWriter.MAX_TEXT_BYTES);
    return new String(take(length), StandardCharsets.UTF_8);
  }

  <T> ActorRef<T> ref() {
    return refs.resolveActorRef(text());
  }

  Map<String, Long> counts() {
    Map<String, Long> counts = new TreeMap<>();
    for (int left = Byte.toUnsignedInt(buffer.get()); left > 0; left--) {
      counts.put(text(), number());
    }
    return counts;
  }

  /**
   * Returns content without a copy if the buffer has an array. Artery by TCP wraps each received
   * frame in a new array, and uses only direct buffers again.
   */
  ByteString bytes() {
    int length = check("content", buffer.getInt(), FleetMessage.MAX_BLOCK_BYTES);
    if (!buffer.hasArray()) {
      return ByteString.fromArrayUnsafe(take(length));
    }
    int start = buffer.arrayOffset() + buffer.position();
    buffer.position(buffer.position() + length);
    return ByteString.fromArrayUnsafe(buffer.array(), start, length);
  }

  private int check(String what, int length, int limit) {
    if (length < 0 || length > limit || length > buffer.remaining()) {
      throw new IllegalArgumentException(
          "%s of %d bytes: the limit is %d, the message has %d"
              .formatted(what, length, limit, buffer.remaining()));
    }
    return length;
  }

  private byte[] take(int length) {
    byte[] bytes = new byte[length];
    buffer.get(bytes);
    return bytes;
  }
}

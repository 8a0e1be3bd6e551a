package io.dpuactors.fleet;

import io.dpuactors.bridge.TaskKind;
import java.nio.BufferOverflowException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.ActorRefResolver;
import org.apache.pekko.util.ByteString;

/**
 * Writes the fields of a message at the position of a buffer. All numbers are little endian.
 *
 * <pre>
 *   integer, number   4, 8 bytes
 *   kind              1 byte: the number of the TaskKind
 *   text, ref         2 bytes: length; UTF-8. A ref is the path of the actor with its address
 *   bytes             4 bytes: length; content
 *   counts            1 byte: number of entries; a text and a number each
 * </pre>
 */
final class WireWriter {
  /** Longest text in bytes. The writer cuts longer text, which only people read. */
  static final int MAX_TEXT_BYTES = 1024;

  /** Room for the fields of any message without its content. */
  static final int MAX_FIELDS_BYTES = 8 * MAX_TEXT_BYTES;

  private final ByteBuffer buffer;
  private final ActorRefResolver refs;

  WireWriter(ByteBuffer buffer, ActorRefResolver refs) {
    this.buffer = buffer.order(ByteOrder.LITTLE_ENDIAN);
    this.refs = refs;
  }

  WireWriter integer(int value) {
    buffer.putInt(value);
    return this;
  }

  WireWriter number(long value) {
    buffer.putLong(value);
    return this;
  }

  WireWriter kind(TaskKind kind) {
    buffer.put((byte) kind.value());
    return this;
  }

  WireWriter text(String value) {
    byte[] utf8 = value.getBytes(StandardCharsets.UTF_8);
    int length = Math.min(utf8.length, MAX_TEXT_BYTES);
    buffer.putShort((short) length).put(utf8, 0, length);
    return this;
  }

  WireWriter ref(ActorRef<?> ref) {
    String path = refs.toSerializationFormat(ref);
    if (path.length() > MAX_TEXT_BYTES) {
      throw new IllegalArgumentException("the path of an actor is too long: " + path);
    }
    return text(path);
  }

  WireWriter counts(Map<String, Long> counts) {
    buffer.put((byte) counts.size());
    counts.forEach((name, count) -> text(name).number(count));
    return this;
  }

  WireWriter bytes(ByteString content) {
    buffer.putInt(content.size());
    if (content.copyToBuffer(buffer) < content.size()) {
      throw new BufferOverflowException();
    }
    return this;
  }
}

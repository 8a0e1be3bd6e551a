package io.dpuactors.streams;

import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * Accesses the memory of a flow, so that elements are not copied. The flow owns the memory: it
 * calls these methods while no task of the device uses it. They run on the dispatcher of the flow,
 * for several elements at once if the flow has more than one in flight. They may not keep the
 * views. An exception fails the stream.
 *
 * <p>The dispatcher of the flow is the default one, or that of the attribute {@code
 * ActorAttributes.dispatcher}. Methods that block, as those of the example do, belong on {@code
 * pekko.actor.default-blocking-io-dispatcher}.
 *
 * <p>An example reads blocks of a file into the memory of the device, and writes the results from
 * there. The element is the position in the input:
 *
 * <pre>{@code
 * public void write(Long position, ByteBuffer src) throws IOException {
 *   input.read(src, position);
 * }
 *
 * public Integer read(Long position, ByteBuffer dst) throws IOException {
 *   int bytes = dst.remaining();
 *   output.write(dst, position);
 *   return bytes;
 * }
 * }</pre>
 *
 * @param <T> elements
 * @param <R> results
 */
public interface BufferAccess<T, R> {
  /**
   * Writes the input of the task of an element.
   *
   * @param src has room for the largest input; the position after the call is the end of the input
   */
  void write(T element, ByteBuffer src) throws IOException;

  /**
   * Makes the result of the output of the task.
   *
   * @param dst the output, from position to limit
   * @return the element that the flow emits; not null
   */
  R read(T element, ByteBuffer dst) throws IOException;
}

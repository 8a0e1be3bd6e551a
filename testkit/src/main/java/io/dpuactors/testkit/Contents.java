package io.dpuactors.testkit;

import io.dpuactors.bridge.Buffer;
import io.dpuactors.bridge.PoolMemory;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** The bytes of a buffer and of the chain behind it. */
final class Contents {
  private Contents() {}

  /** Returns the content of a buffer with its chain. */
  static byte[] of(Buffer head) {
    ByteBuffer content = ByteBuffer.allocate(Math.toIntExact(head.totalLength()));
    for (Buffer each : chain(head)) {
      content.put(window(each).limit(each.length()));
    }
    return content.array();
  }

  /**
   * Writes bytes into the windows of a buffer and its chain, as far as they have room. Sets the
   * content of the chain.
   *
   * @return number of bytes in the first buffer
   */
  static int write(Buffer head, byte[] bytes) {
    int written = 0;
    for (Buffer each : chain(head)) {
      int part = Math.min(each.capacity(), bytes.length - written);
      window(each).put(bytes, written, part);
      if (each != head) {
        memory(each).content(each.pointer(), each.address(), part, each.toString());
      }
      written += part;
    }
    return Math.min(head.capacity(), bytes.length);
  }

  private static List<Buffer> chain(Buffer head) {
    List<Buffer> all = new ArrayList<>(List.of(head));
    all.addAll(head.following());
    return all;
  }

  /**
   * Returns a view with separate position and limit. The heap's view also serves a lease that ends
   * with its last loan.
   */
  private static ByteBuffer window(Buffer buffer) {
    ByteBuffer view =
        memory(buffer) instanceof HeapMemory heap ? heap.view(buffer.index()) : buffer.bytes();
    return view.duplicate().clear();
  }

  private static PoolMemory memory(Buffer buffer) {
    return buffer.pool().memory();
  }
}

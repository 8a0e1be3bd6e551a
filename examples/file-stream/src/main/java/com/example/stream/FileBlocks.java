package com.example.stream;

import io.dpuactors.streams.BufferAccess;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;

/** Reads blocks of a file into the memory of the device. A result is the bytes of an output. */
// tag::access[]
record FileBlocks(FileChannel file, int blockBytes) implements BufferAccess<Long, Integer> {
  @Override
  public void write(Long block, ByteBuffer src) throws IOException {
    long begin = block * blockBytes;
    while (src.hasRemaining() && file.read(src, begin + src.position()) >= 0) {}
  }

  @Override
  public Integer read(Long block, ByteBuffer dst) {
    return dst.remaining();
  }
}
// end::access[]

package io.dpuactors.streams;

import static org.assertj.core.api.Assertions.assertThat;

import io.dpuactors.protocol.ErasureCodingProtocol.Definition.Cauchy;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.pekko.util.ByteString;

/**
 * Elements with redundancy blocks, in the memory of the device: one flow computes the blocks, and a
 * second flow restores the element without some of its blocks. The data blocks contain the length
 * of the element, the element and zeros.
 *
 * @param missing ascending indices of the blocks that the second flow recovers
 */
record RecoveredElements(List<Integer> missing) {
  static final Cauchy MATRIX = new Cauchy(4, 2);

  /** Both kinds of blocks. */
  static final int BLOCKS = MATRIX.data() + MATRIX.redundancy();

  private static final int UNIT = 64 * MATRIX.data();

  /** Blocks behind each other: those of the data, then those of the redundancy. */
  record Coded(ByteString blocks) {
    int blockBytes() {
      return blocks.size() / BLOCKS;
    }

    ByteString block(int index) {
      return blocks.slice(index * blockBytes(), (index + 1) * blockBytes());
    }
  }

  /** Returns the bytes of all data blocks of an element. */
  static int dataBytes(int elementBytes) {
    return (Integer.BYTES + elementBytes + UNIT - 1) / UNIT * UNIT;
  }

  /** Writes the data blocks of an element, and adds the redundancy blocks. */
  BufferAccess<ByteString, Coded> coding() {
    return new BufferAccess<>() {
      @Override
      public void write(ByteString element, ByteBuffer src) {
        src.put(data(element));
      }

      @Override
      public Coded read(ByteString element, ByteBuffer dst) {
        byte[] redundancy = new byte[dst.remaining()];
        dst.get(redundancy);
        return new Coded(
            ByteString.fromArray(data(element)).concat(ByteString.fromArray(redundancy)));
      }
    };
  }

  private static byte[] data(ByteString element) {
    ByteBuffer data = ByteBuffer.allocate(dataBytes(element.size())).putInt(element.size());
    element.copyToBuffer(data);
    return data.array();
  }

  /** Writes the available blocks, and restores the element with the missing ones. */
  BufferAccess<Coded, ByteString> recovery() {
    return new BufferAccess<>() {
      @Override
      public void write(Coded coded, ByteBuffer src) {
        IntStream.range(0, BLOCKS)
            .filter(index -> !missing.contains(index))
            .limit(MATRIX.data())
            .forEach(index -> src.put(coded.block(index).toArray()));
      }

      @Override
      public ByteString read(Coded coded, ByteBuffer dst) {
        byte[][] blocks = new byte[BLOCKS][];
        for (int index = 0; index < BLOCKS; index++) {
          blocks[index] = coded.block(index).toArray();
        }
        for (int index : missing) {
          blocks[index] = new byte[coded.blockBytes()];
          dst.get(blocks[index]);
        }
        return element(coded, blocks);
      }
    };
  }

  private static ByteString element(Coded coded, byte[]... blocks) {
    ByteBuffer all = ByteBuffer.allocate(coded.blocks().size());
    for (byte[] block : blocks) {
      all.put(block);
    }
    int redundancy = MATRIX.data() * coded.blockBytes();
    assertThat(ByteString.fromArray(all.array()).drop(redundancy))
        .isEqualTo(coded.blocks().drop(redundancy));
    byte[] element = new byte[all.flip().getInt()];
    all.get(element);
    return ByteString.fromArray(element);
  }
}

package io.dpuactors.erasure;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The state of all parts of a file.
 *
 * @param header of the parts, with index 0
 * @param rows one for each part, also a missing one, by index
 * @param lostStripes number of stripes with too few sound blocks
 * @param others files in the folder that are not used
 */
public record PartReport(
    PartHeader header, List<Row> rows, long lostStripes, List<PartSet.Other> others) {
  private static final int PIECE_BYTES = 256 << 10;

  /** State of a part. */
  public enum State {
    /** Header and all blocks are sound. */
    SOUND,
    /** Blocks are damaged or missing, or bytes follow the last block. */
    DAMAGED,
    /** The folder has no part with a sound header and this index. */
    MISSING
  }

  /**
   * One part.
   *
   * @param path null: missing
   * @param damaged number of damaged or missing blocks
   */
  public record Row(int index, State state, @Nullable Path path, long damaged) {}

  /**
   * Reads all blocks of all parts. The memory is 256 KiB.
   *
   * @param progress receives the checked bytes of the file, at most its size
   */
  public static PartReport of(PartSet set, LongConsumer progress) throws IOException {
    PartHeader header = set.header();
    int parts = header.stripes().parts();
    long begun = 0;
    for (int i = 0; i < parts; i++) {
      Part part = set.part(i);
      begun = part == null ? begun : Math.max(begun, part.begunBlocks());
    }
    // A header may claim any number of blocks, so no part has the others.
    long missing = header.blocks() - begun;
    long[] damaged = new long[parts];
    Arrays.fill(damaged, missing);
    long lost = missing;
    ByteBuffer piece = ByteBuffer.allocateDirect(PIECE_BYTES);
    for (long stripe = 0; stripe < begun; stripe++) {
      lost += check(set, stripe, piece, damaged) < header.stripes().data() ? 1 : 0;
      progress.accept(Math.min(header.fileBytes(), (stripe + 1) * header.stripes().stripeBytes()));
    }
    List<Row> rows = new ArrayList<>();
    for (int i = 0; i < parts; i++) {
      rows.add(row(i, set.part(i), damaged[i]));
    }
    return new PartReport(header, rows, lost, set.others());
  }

  /** Counts the damaged blocks of a stripe by part, and returns the number of sound blocks. */
  private static int check(PartSet set, long stripe, ByteBuffer piece, long[] damaged)
      throws IOException {
    int sound = 0;
    for (int i = 0; i < damaged.length; i++) {
      Part part = set.part(i);
      boolean isSound = part != null && part.isSound(stripe, piece);
      sound += isSound ? 1 : 0;
      damaged[i] += isSound ? 0 : 1;
    }
    return sound;
  }

  private static Row row(int index, @Nullable Part part, long damaged) throws IOException {
    if (part == null) {
      return new Row(index, State.MISSING, null, damaged);
    }
    boolean isSound = damaged == 0 && part.bytes() == part.header().partBytes();
    return new Row(index, isSound ? State.SOUND : State.DAMAGED, part.path(), damaged);
  }

  /** Returns whether 'dpu ec recover' can restore the file. */
  public boolean isRecoverable() {
    return lostStripes == 0 && count(State.MISSING) <= header.stripes().parity();
  }

  /** Returns the number of parts in a state. */
  public long count(State state) {
    return rows.stream().filter(row -> row.state() == state).count();
  }
}

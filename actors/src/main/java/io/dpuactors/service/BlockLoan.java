package io.dpuactors.service;

import io.dpuactors.bridge.Buffer;
import io.dpuactors.bridge.SendBatch;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Blocks of a {@link BlockMemory} that follow each other and are one client's for a while: a whole
 * stripe, what is left of one, or a copy of one block.
 *
 * @param first the first of them
 * @param batch what is sent
 * @param stripe whose blocks these are, which nobody else has; null: it is a copy
 */
record BlockLoan(int first, SendBatch batch, @Nullable SendBatch stripe) {
  static BlockLoan whole(int first, SendBatch stripe) {
    return new BlockLoan(first, stripe, stripe);
  }

  /** From some block of a stripe on. */
  static BlockLoan rest(int first, SendBatch stripe, int skipped) {
    SendBatch rest = SendBatch.of(stripe.buffers().subList(skipped, stripe.size()));
    return new BlockLoan(first, rest, stripe);
  }

  static BlockLoan copy(int first, Buffer spare) {
    return new BlockLoan(first, SendBatch.of(List.of(spare)), null);
  }

  /** How many blocks these are. */
  int size() {
    return batch.size();
  }

  /**
   * A device keeps the batch, whose buffers go back to their pool by themselves: what else there is
   * of the stripe goes back, too.
   */
  void lose() {
    if (stripe != null && stripe != batch) {
      stripe.close();
      stripe.buffers().subList(0, stripe.size() - batch.size()).forEach(Buffer::release);
    }
  }

  /** Nothing of it is on its way: what was made for this loan alone is undone. */
  void end() {
    if (batch != stripe) {
      batch.close();
    }
    if (stripe == null) {
      batch.buffers().forEach(Buffer::release);
    }
  }
}

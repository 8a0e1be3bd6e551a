package io.dpuactors.file;

import io.dpuactors.protocol.AesGcmProtocol;
import io.dpuactors.protocol.TaskReply;
import io.dpuactors.protocol.TaskRequest;
import java.nio.ByteBuffer;
import java.util.Optional;
import org.apache.pekko.actor.typed.ActorRef;

/**
 * Work on the blocks of one file. One {@link FilePipeline} calls it on its thread. The work reads
 * blocks in order, completes them in any order, and writes them in order.
 */
interface BlockWork {
  /** Result of {@link #read}. */
  enum Found {
    /** A block for the device. */
    BLOCK,
    /** A block that needs no device and can be written. */
    READY_BLOCK,
    /** The end of the file. */
    END,
    /**
     * A block that needs the larger buffers of {@link #wanted}. The caller reads it again with
     * them.
     */
    GROW
  }

  FileJob job();

  /** Opens input and output. */
  void open() throws FileException;

  /**
   * Returns the bytes of the key that the requests need, in a direct buffer; empty: none. Call it
   * after {@link #open}. {@link #created} takes the key before the first block.
   */
  Optional<ByteBuffer> key();

  /** Takes the key that a context has created from {@link #key}. */
  void created(AesGcmProtocol.Key key);

  /** Returns the blocks that an earlier process has written. Call it after {@link #open}. */
  FileReport.Resumed resumed();

  /** Reads the next block into the source of {@code block}. */
  Found read(Block block) throws FileException;

  /** Returns the smallest buffers for the block that was too large for {@link #read}. */
  default PoolShape wanted() {
    throw new IllegalStateException("this work needs no larger buffers");
  }

  /** Returns the next request of a block for the device. */
  TaskRequest request(Block block, ActorRef<TaskReply> replyTo);

  /**
   * Takes the result of {@link #request}.
   *
   * @return true: the block can be written; false: the block needs another request
   */
  boolean completed(Block block, TaskReply.Completed reply) throws FileException;

  /** Returns whether {@link #write} also needs the source of a block. */
  default boolean writesSource() {
    return false;
  }

  /**
   * Returns the failure of the file for a failed request. The block still has its buffers, unless
   * the device retains them.
   */
  FileFailure explain(Block block, TaskReply.Failed reply);

  /** Appends a block to the output. */
  void write(Block block) throws FileException;

  /** Publishes the output under its name after the last block. */
  void finish() throws FileException;

  long inputBytes();

  long bytesRead();

  long bytesWritten();

  /**
   * Closes the files, and deletes an unfinished output. Returns the error of a file that could not
   * be closed, or empty. Idempotent.
   */
  Optional<FileFailure> discard();

  /** As {@link #discard}, but keeps an output that a later process can continue. */
  Optional<FileFailure> suspend();
}

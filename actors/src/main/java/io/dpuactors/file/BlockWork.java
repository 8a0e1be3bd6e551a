package io.dpuactors.file;

import io.dpuactors.protocol.TaskReply;
import io.dpuactors.protocol.TaskRequest;
import java.util.Optional;
import org.apache.pekko.actor.typed.ActorRef;

/**
 * What is done to the blocks of one file. Called by one {@link FilePipeline} on its thread: blocks
 * are read in order, completed in any, written in order.
 */
interface BlockWork extends AutoCloseable {
  /** What {@link #read} has found. */
  enum Found {
    /** A block for the device. */
    BLOCK,
    /** A block that is ready to be written. */
    READY_BLOCK,
    /** The end of the file. */
    END,
    /** A block that needs larger buffers: {@link #wanted} says which, then it is read again. */
    GROW
  }

  FileJob job();

  /** Open input and output. */
  void open() throws FileException;

  /** Read the next block into the source of {@code block}. */
  Found read(Block block) throws FileException;

  /** Least buffers for the block that {@link #read} found too large. */
  default PoolShape wanted() {
    throw new IllegalStateException("every block fits");
  }

  /** What to ask the device. */
  TaskRequest request(Block block, ActorRef<TaskReply> replyTo);

  /**
   * The device has done what {@link #request} asked.
   *
   * @return true: the block can be written; false: there is something else to request
   */
  boolean completed(Block block, TaskReply.Completed reply) throws FileException;

  /**
   * What it means that the device failed; the buffers of the block are still there unless the
   * device retains them.
   */
  FileFailure explain(Block block, TaskReply.Failed reply);

  /** Append a block to the output. */
  void write(Block block) throws FileException;

  /** Everything is written: put the output under its name. */
  void finish() throws FileException;

  long inputBytes();

  long bytesRead();

  long bytesWritten();

  /**
   * Close the files; the output is deleted unless it was finished. Idempotent. Empty, or what could
   * not be closed.
   */
  Optional<FileFailure> discard();

  @Override
  default void close() {
    discard();
  }
}

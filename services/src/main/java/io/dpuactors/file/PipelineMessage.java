package io.dpuactors.file;

import io.dpuactors.protocol.AesGcmProtocol.KeyReply;
import io.dpuactors.protocol.TaskReply;
import java.util.List;

/** Message to a {@link FilePipeline} from itself, its queues, and the owner of its buffers. */
sealed interface PipelineMessage extends FileCommand {
  /** Opens the files and starts the first blocks. */
  enum Begin implements PipelineMessage {
    INSTANCE
  }

  /** A context has created the key of the file, or refused to. */
  record KeyAnswered(KeyReply reply) implements PipelineMessage {}

  /** Polls for free buffers again. */
  enum Refill implements PipelineMessage {
    INSTANCE
  }

  /** Larger buffers are open, in new workers of the same contexts. */
  record Grown(List<BlockWorker> workers) implements PipelineMessage {}

  /** Opening larger buffers has failed. */
  record NotGrown(FileFailure failure) implements PipelineMessage {}

  /** Reply of a context. */
  record Answered(TaskReply reply) implements PipelineMessage {}

  /** Sends blocks again that a busy context refused. */
  record Resend(int worker) implements PipelineMessage {}

  /** A context has stopped. The pipeline has handled all replies that the context sent before. */
  enum ContextEnded implements PipelineMessage {
    INSTANCE
  }

  /** Ends the wait for replies. The leases of these replies are lost; the census reports them. */
  enum LastCall implements PipelineMessage {
    INSTANCE
  }
}

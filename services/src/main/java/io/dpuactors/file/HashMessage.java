package io.dpuactors.file;

import io.dpuactors.protocol.ShaProtocol.SessionReply;
import io.dpuactors.protocol.TaskReply;

/** Message to a {@link FileHash}. */
sealed interface HashMessage {
  /** Messages without content. */
  enum Step implements HashMessage {
    /** Opens the file and starts the first part. */
    BEGIN,
    /** Sends a part again that the busy context refused. */
    RESEND,
    /** Cancels the file. The actor of the file ends when the device has returned the buffers. */
    CANCEL,
    /** The context has stopped. The actor has handled all replies that the context sent before. */
    CONTEXT_ENDED,
    /**
     * Ends the wait for the last reply. The leases of that reply are lost; the census reports them.
     */
    LAST_CALL
  }

  /** Answer to the request for a session. */
  record SessionAnswered(SessionReply reply) implements HashMessage {}

  /** Answer to the request for a part. */
  record Answered(TaskReply reply) implements HashMessage {}
}

package io.dpuactors.docs;

import io.dpuactors.bridge.Buffer;
import io.dpuactors.protocol.Busy;
import io.dpuactors.protocol.TaskReply;
import io.dpuactors.protocol.TaskReply.Completed;
import io.dpuactors.protocol.TaskReply.Failed;
import io.dpuactors.protocol.TaskReply.Ownership;
import java.util.function.Consumer;

/** Handles the buffers of a request when its answer arrives. */
final class Replies {
  private Replies() {}

  // tag::reply[]
  static void onReply(TaskReply reply, Consumer<Buffer> result) {
    if (reply instanceof Completed done) {
      result.accept(done.dst()); // content: [0, length)
      done.src().release();
      done.dst().release();
    } else if (reply instanceof Busy) {
      reply.src().release(); // nothing was started: or keep both, and send the request again later
      reply.dst().release();
    } else if (reply instanceof Failed failed && failed.ownership() == Ownership.RETURNED) {
      failed.src().release();
      failed.dst().release();
    } // else RETAINED: the device still uses both; they return to their pool later
  }
  // end::reply[]
}

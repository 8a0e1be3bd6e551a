package io.dpuactors.protocol;

import io.dpuactors.bridge.Buffer;
import io.dpuactors.bridge.DocaError;
import io.dpuactors.bridge.TaskKind;
import java.util.List;
import org.apache.pekko.actor.typed.ActorRef;

/**
 * Tasks of one kind in one message, for those who have many small ones: task {@code i} reads source
 * {@code i} and writes destination {@code i}. The tasks go their ways as single ones do, within the
 * context's window, and in no order; they share one deadline, and one {@link BatchReply}, when the
 * last of them has ended.
 *
 * <p>Sending it lends all buffers to the context.
 */
public interface BatchRequest extends Request {
  /** What the device shall do with each. */
  TaskKind kind();

  /** The inputs. */
  List<Buffer> sources();

  /** The outputs, as many. */
  List<Buffer> destinations();

  /** Comes back in the reply. Chosen by the sender. */
  long tag();

  /** Who gets the one answer. */
  ActorRef<BatchReply> replyTo();

  @Override
  default void refuse(DocaError error) {
    replyTo().tell(new BatchReply.Refused(tag(), error, sources(), destinations()));
  }

  /**
   * Checks what every batch has to keep to.
   *
   * @throws IllegalArgumentException when it is empty, or the lists differ in size
   */
  static void check(List<Buffer> sources, List<Buffer> destinations) {
    if (sources.isEmpty() || sources.size() != destinations.size()) {
      throw new IllegalArgumentException(
          "a batch of %d sources and %d destinations: as many of both, at least one"
              .formatted(sources.size(), destinations.size()));
    }
  }
}

package io.dpuactors.node;

import io.dpuactors.bridge.DocaCode;
import io.dpuactors.bridge.DocaError;
import io.dpuactors.protocol.ConnectionProtocol.Send;
import io.dpuactors.protocol.ConnectionProtocol.SendFailed;
import io.dpuactors.protocol.ConnectionProtocol.Sent;
import java.util.function.Consumer;

/**
 * Answers one {@link Send}. If the request names no recipient for the answer, a failure breaks the
 * connection. No failure is lost silently.
 *
 * @param broken breaks the connection; does nothing for a request after the end of the connection
 */
record SendAnswer(Send send, Consumer<DocaError> broken) implements SendOutcome {
  @Override
  public void sent() {
    send.replyTo().ifPresent(asker -> asker.tell(new Sent(send.tag())));
  }

  @Override
  public void failed(DocaError error) {
    send.replyTo()
        .ifPresentOrElse(
            asker -> asker.tell(new SendFailed(send.tag(), error)), () -> broken.accept(error));
  }

  @Override
  public void busy(int waiting) {
    if (send.replyTo().isPresent()) {
      send.busy(waiting);
    } else {
      broken.accept(DocaError.of("send", DocaCode.FULL, waiting + " messages wait already"));
    }
  }
}

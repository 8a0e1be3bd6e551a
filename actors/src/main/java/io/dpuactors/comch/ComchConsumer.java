package io.dpuactors.comch;

import io.dpuactors.bridge.BufferPool;
import io.dpuactors.context.ContextEvent;
import io.dpuactors.node.DataNodes;
import io.dpuactors.node.EngineCore;
import io.dpuactors.node.Link;
import io.dpuactors.protocol.ConsumerProtocol;
import io.dpuactors.protocol.ConsumerProtocol.ConsumerId;
import io.dpuactors.protocol.ConsumerProtocol.GetId;
import io.dpuactors.protocol.ConsumerProtocol.PostRequest;
import io.dpuactors.protocol.DataOptions;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;

/** A {@code doca_comch_consumer} as an actor, child of its connection. */
final class ComchConsumer {
  private ComchConsumer() {}

  /**
   * Returns the behavior of a consumer.
   *
   * @throws IllegalArgumentException if the options name no memory
   */
  static Behavior<ConsumerProtocol.Command> create(
      EngineCore core,
      Link link,
      ComchSettings settings,
      DataOptions options,
      ActorRef<ContextEvent> connection) {
    BufferPool memory =
        options
            .memory()
            .orElseThrow(() -> new IllegalArgumentException("a consumer needs a buffer pool"));
    return DataContext.create(
        core,
        connection,
        PostRequest.class,
        GetId.class,
        (question, id) -> question.replyTo().tell(new ConsumerId(id)),
        (name, owner) ->
            DataNodes.openConsumer(
                core,
                link,
                name,
                memory,
                settings.consumer(options),
                settings.times("consumer"),
                owner));
  }
}

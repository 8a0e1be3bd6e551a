package io.dpuactors.comch;

import io.dpuactors.context.ContextEvent;
import io.dpuactors.node.DataNodes;
import io.dpuactors.node.EngineCore;
import io.dpuactors.node.Link;
import io.dpuactors.protocol.DataOptions;
import io.dpuactors.protocol.ProducerProtocol;
import io.dpuactors.protocol.ProducerProtocol.GetId;
import io.dpuactors.protocol.ProducerProtocol.ProduceRequest;
import io.dpuactors.protocol.ProducerProtocol.ProducerId;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;

/** A {@code doca_comch_producer} as an actor, child of its connection. */
final class ComchProducer {
  private ComchProducer() {}

  static Behavior<ProducerProtocol.Command> create(
      EngineCore core,
      Link link,
      ComchSettings settings,
      DataOptions options,
      ActorRef<ContextEvent> connection) {
    return DataContext.create(
        core,
        connection,
        ProduceRequest.class,
        GetId.class,
        (question, id) -> question.replyTo().tell(new ProducerId(id)),
        (name, owner) ->
            DataNodes.openProducer(
                core, link, name, settings.producer(options), settings.times("producer"), owner));
  }
}

package io.dpuactors.rdma;

import io.dpuactors.bridge.DocaException;
import io.dpuactors.bridge.TaskHandle;
import io.dpuactors.bridge.internal.DocaContext;
import io.dpuactors.bridge.internal.RemoteEvents;
import io.dpuactors.context.OwnedObjects;
import io.dpuactors.protocol.RdmaEventProtocol.CloseRemoteEvent;
import io.dpuactors.protocol.RdmaEventProtocol.OpenRemoteEvent;
import io.dpuactors.protocol.RdmaEventProtocol.RemoteEvent;
import io.dpuactors.protocol.RdmaEventProtocol.RemoteEventClosed;
import io.dpuactors.protocol.RdmaEventProtocol.RemoteEventOpened;
import java.util.function.Consumer;
import org.apache.pekko.actor.typed.ActorRef;

/** The sync events of peers that the connections of one context access. Engine's thread. */
final class RdmaEvents {
  private final RdmaHost host;
  private final OwnedObjects objects;

  /**
   * Creates the empty set of a context.
   *
   * @param watch makes the context's actor watch the owner of an event
   */
  RdmaEvents(RdmaHost host, Consumer<ActorRef<?>> watch) {
    this.host = host;
    this.objects = new OwnedObjects("remote event", watch);
  }

  /** Imports an event into the running context. */
  void open(OpenRemoteEvent command) {
    try {
      DocaContext context = host.load().usable("open remote event");
      TaskHandle event = RemoteEvents.open(context, host.device(), command.description());
      command.owner().ifPresent(owner -> objects.add(owner, event));
      command.replyTo().tell(new RemoteEventOpened(new RemoteEvent(event)));
    } catch (DocaException e) {
      command.refuse(e.error());
    }
  }

  /** Ends an event after the requests that use it. */
  void close(CloseRemoteEvent command) {
    RemoteEvent event = command.event();
    objects.destroy(
        host.load().running(),
        event.handle(),
        failure -> command.replyTo().tell(new RemoteEventClosed(event, failure)));
  }

  /** Ends the events of an actor that has ended. */
  void onOwnerEnded(ActorRef<?> owner) {
    objects.onOwnerEnded(host.load().running(), owner);
  }

  /** Refuses all unanswered commands, because the context ends and its events with it. */
  void close() {
    objects.close();
  }
}

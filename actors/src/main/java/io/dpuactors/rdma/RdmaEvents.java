package io.dpuactors.rdma;

import io.dpuactors.bridge.DocaCode;
import io.dpuactors.bridge.DocaError;
import io.dpuactors.bridge.DocaException;
import io.dpuactors.bridge.TaskHandle;
import io.dpuactors.bridge.internal.DocaContext;
import io.dpuactors.bridge.internal.RemoteEvents;
import io.dpuactors.protocol.RdmaEventProtocol.CloseRemoteEvent;
import io.dpuactors.protocol.RdmaEventProtocol.OpenRemoteEvent;
import io.dpuactors.protocol.RdmaEventProtocol.RemoteEvent;
import io.dpuactors.protocol.RdmaEventProtocol.RemoteEventClosed;
import io.dpuactors.protocol.RdmaEventProtocol.RemoteEventOpened;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The sync events of peers that the connections of one context access. Engine's thread. */
final class RdmaEvents {
  private static final Logger LOG = LoggerFactory.getLogger(RdmaEvents.class);

  private final RdmaHost host;
  private final Set<CloseRemoteEvent> ending = new LinkedHashSet<>();

  RdmaEvents(RdmaHost host) {
    this.host = host;
  }

  /** Imports an event into the running context. */
  void open(OpenRemoteEvent command) {
    try {
      DocaContext context = host.load().usable("open remote event");
      TaskHandle event = RemoteEvents.open(context, host.device(), command.description());
      command.replyTo().tell(new RemoteEventOpened(new RemoteEvent(event)));
    } catch (DocaException e) {
      command.refuse(e.error());
    }
  }

  /** Ends an event after the requests that use it. */
  void close(CloseRemoteEvent command) {
    TaskHandle event = command.event().handle();
    try {
      DocaContext context = host.load().usable("close remote event");
      if (!event.isOpen() || !event.belongsTo(context)) {
        command.refuse(error(DocaCode.NOT_FOUND, event + " is no open event of the context"));
        return;
      }
      ending.add(command);
      event.close(() -> ended(command, destroy(context, event)));
    } catch (DocaException e) {
      command.refuse(e.error());
    }
  }

  private void ended(CloseRemoteEvent command, Optional<DocaError> failure) {
    if (ending.remove(command)) {
      command.replyTo().tell(new RemoteEventClosed(command.event(), failure));
    }
  }

  private static Optional<DocaError> destroy(DocaContext context, TaskHandle event) {
    try {
      context.handles().destroy(event);
      return Optional.empty();
    } catch (DocaException e) {
      LOG.error("{} stays until the end of its context: {}", event, e.error());
      return Optional.of(e.error());
    }
  }

  /** Refuses all unanswered commands, because the context ends and its events with it. */
  void close() {
    List<CloseRemoteEvent> unanswered = List.copyOf(ending);
    ending.clear();
    unanswered.forEach(
        command -> command.refuse(error(DocaCode.SHUTDOWN, "the context has ended")));
  }

  private static DocaError error(DocaCode code, String why) {
    return DocaError.of("remote event", code.value(), why);
  }
}

package io.dpuactors.context;

import io.dpuactors.bridge.DocaCode;
import io.dpuactors.bridge.DocaError;
import io.dpuactors.bridge.TaskLibrary;
import io.dpuactors.node.ContextOpener;
import io.dpuactors.node.EngineCore;
import io.dpuactors.node.LaneSettings;
import io.dpuactors.node.TaskLane;
import io.dpuactors.protocol.DeviceRequest;
import io.dpuactors.protocol.TaskProtocol.CapabilityQuery;
import io.dpuactors.protocol.TaskProtocol.CreateObject;
import io.dpuactors.protocol.TaskProtocol.DestroyObject;
import org.apache.pekko.actor.typed.ActorRef;

/** The parts of a context of a {@link TaskLibrary}: its device, and the objects of its tasks. */
final class TaskParts implements ContextParts {
  private final TaskLibrary library;
  private final ContextDevice device;
  private final ContextObjects objects;
  private boolean closed;

  TaskParts(TaskLibrary library, ContextDevice device, ContextObjects objects) {
    this.library = library;
    this.device = device;
    this.objects = objects;
  }

  @Override
  public ContextOpener.Opened open(EngineCore core, long userData) {
    return device.open(core, userData);
  }

  @Override
  public TaskLane<DeviceRequest> lane(EngineCore core, String name, LaneSettings settings) {
    return TaskLane.forTasks(core, name, settings);
  }

  @Override
  public boolean handle(Object command) {
    if (command instanceof CapabilityQuery query) {
      query.replyTo().tell(device.capabilities());
    } else if (command instanceof CreateObject create) {
      create(create);
    } else if (command instanceof DestroyObject destroy) {
      objects.destroy(destroy);
    } else if (command instanceof ContextObjects.Waiting late) {
      objects.expire(late);
    } else {
      return false;
    }
    return true;
  }

  private void create(CreateObject command) {
    if (closed) {
      command.refuse(
          DocaError.of(library.docaName(), DocaCode.SHUTDOWN, "the context is stopping"));
    } else {
      objects.create(command);
    }
  }

  @Override
  public void running() {
    objects.onRunning();
  }

  @Override
  public void forget(ActorRef<?> owner) {
    objects.onOwnerEnded(owner);
  }

  @Override
  public void close() {
    closed = true;
    objects.close();
  }
}

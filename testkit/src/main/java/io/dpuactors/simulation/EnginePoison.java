package io.dpuactors.simulation;

import io.dpuactors.bridge.DocaError;
import io.dpuactors.bridge.TaskLibrary;
import io.dpuactors.protocol.EngineProtocol.OpenTasks;
import io.dpuactors.protocol.LocalMessage;
import io.dpuactors.protocol.TaskOptions;
import org.apache.pekko.actor.typed.ActorRef;

/** A message whose options throw: the engine or engine group that reads them fails. */
enum EnginePoison implements OpenTasks<LocalMessage> {
  NOW;

  @Override
  public TaskLibrary library() {
    return TaskLibrary.COMPRESS;
  }

  @Override
  public TaskOptions options() {
    throw new IllegalStateException(Poison.TEXT);
  }

  @Override
  public void opened(ActorRef<LocalMessage> context) {
    throw new IllegalStateException("opened without options");
  }

  /** An engine that has ended does not read the options. */
  @Override
  public void refuse(DocaError error) {}
}

package io.dpuactors.simulation;

import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.Behaviors;

/**
 * A server and its clients on two engines: each client sends numbered messages, and the server
 * returns them.
 */
record ComchScenario() implements Scenario {
  @Override
  public String name() {
    return "comch";
  }

  @Override
  public Behavior<Object> create(Run run) {
    return Behaviors.setup(context -> new ComchProgram(run, context).behavior());
  }
}

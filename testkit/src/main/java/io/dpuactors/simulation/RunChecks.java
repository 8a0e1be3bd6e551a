package io.dpuactors.simulation;

import org.apache.pekko.actor.ActorCell;
import org.apache.pekko.actor.ActorRef;

/** The checks of the steps of a run's actors. World's thread. */
record RunChecks(Explanations explanations, EndOrder ends) implements Trace.Observer {
  @Override
  public void afterStep(ActorCell actor) {
    ends.afterStep(actor);
  }

  @Override
  public void handled(ActorRef actor, Object message) {
    ends.handled(actor, message);
    explanations.handled(actor, message);
  }
}

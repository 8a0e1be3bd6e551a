package io.dpuactors.docs;

import static io.dpuactors.docs.Ask.ask;

import io.dpuactors.protocol.EngineProtocol;
import io.dpuactors.protocol.EngineProtocol.GetStatus;
import io.dpuactors.protocol.EngineProtocol.Status;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.ActorSystem;

/** Reads the counters of an engine. */
final class EngineCounters {
  private EngineCounters() {}

  static Status print(ActorRef<EngineProtocol.Command> engine, ActorSystem<?> system) {
    // tag::counters[]
    Status status = ask(engine, GetStatus::new, system);
    System.out.println(status.library() + ", open: " + status.open());
    status.counters().forEach((name, count) -> System.out.println(name + " " + count));
    // end::counters[]
    return status;
  }
}

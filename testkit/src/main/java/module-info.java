/** Test rigs of programs with engines, and the simulation. */
// Pekko's modules and the configuration's are automatic.
@SuppressWarnings({"requires-automatic", "requires-transitive-automatic"})
module io.dpuactors.testkit {
  exports io.dpuactors.simulation;
  exports io.dpuactors.testkit;

  uses io.dpuactors.simulation.SimulatedScenario;

  requires transitive io.dpuactors.core;
  requires ch.qos.logback.classic;
  requires ch.qos.logback.core;
  requires jdk.unsupported;
  requires org.slf4j;
  requires static transitive pekko.actor.testkit.typed;
  requires transitive scala.library;
  requires transitive typesafe.config;
  requires static transitive org.jspecify;
  requires static transitive org.junit.jupiter.api;
  requires static org.junit.platform.commons;
}

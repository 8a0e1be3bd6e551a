/** Simulation of actors, engines and the software DPU. */
// Pekko's modules and the configuration's are automatic.
@SuppressWarnings({"requires-automatic", "requires-transitive-automatic"})
module io.dpuactors.testkit {
  exports io.dpuactors.simulation;

  requires transitive io.dpuactors.core;
  requires ch.qos.logback.classic;
  requires ch.qos.logback.core;
  requires jdk.unsupported;
  requires org.slf4j;
  requires transitive scala.library;
  requires transitive typesafe.config;
  requires static transitive org.jspecify;
  requires static transitive org.junit.jupiter.api;
  requires static org.junit.platform.commons;
}

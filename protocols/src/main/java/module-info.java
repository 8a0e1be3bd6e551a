/** Messages between a program and the actors. */
// The actors are compiled later, and Pekko's modules are automatic.
@SuppressWarnings({"module", "requires-automatic", "requires-transitive-automatic"})
module io.dpuactors.protocol {
  exports io.dpuactors.protocol;
  exports io.dpuactors.protocol.wire to
      io.dpuactors.core;

  requires transitive io.dpuactors.bridge;
  requires transitive pekko.actor.typed;
  requires transitive pekko.actor;
  requires static transitive org.jspecify;
}

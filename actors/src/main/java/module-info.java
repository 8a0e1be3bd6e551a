/** The engine and its actors. Programs use one package; Pekko creates the dispatcher of another. */
// The testkit is compiled later. Pekko's modules and the configuration's are automatic.
@SuppressWarnings({"module", "requires-automatic", "requires-transitive-automatic"})
module io.dpuactors.core {
  exports io.dpuactors.engine;
  exports io.dpuactors.loop to
      io.dpuactors.testkit,
      pekko.actor;
  exports io.dpuactors.node to
      io.dpuactors.testkit;

  requires transitive io.dpuactors.protocol;
  // Pekko uses sun.misc.Unsafe, and an automatic module cannot state this.
  requires jdk.unsupported;
  requires org.jctools.core;
  requires org.slf4j;
  requires scala.library;
  requires typesafe.config;
  requires static transitive org.jspecify;
}

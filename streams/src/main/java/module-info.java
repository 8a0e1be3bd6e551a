/** Pekko Streams over the actors: flows of tasks, and connections. */
// Pekko's modules and the configuration's are automatic.
@SuppressWarnings({"requires-automatic", "requires-transitive-automatic"})
module io.dpuactors.streams {
  exports io.dpuactors.streams;

  requires transitive io.dpuactors.core;
  requires transitive pekko.stream;
  requires scala.library;
  requires static transitive org.jspecify;
}

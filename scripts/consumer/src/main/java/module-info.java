module consumer {
  requires io.dpuactors.services;
  requires io.dpuactors.streams;
  requires io.dpuactors.testkit;
  requires pekko.actor.testkit.typed;
  requires typesafe.config;
}

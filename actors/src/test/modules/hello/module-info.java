module hello {
  requires io.dpuactors.core;
  requires typesafe.config;
}

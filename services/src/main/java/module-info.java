/** Applications of the actors: files in blocks, and services over the channel and RDMA. */
// Pekko's modules and the configuration's are automatic.
@SuppressWarnings("requires-automatic")
module io.dpuactors.services {
  exports io.dpuactors.encrypted;
  exports io.dpuactors.erasure;
  exports io.dpuactors.file;
  exports io.dpuactors.gzip;
  exports io.dpuactors.service;
  exports io.dpuactors.wire;

  requires transitive io.dpuactors.core;
  requires org.slf4j;
  requires typesafe.config;
  requires static transitive org.jspecify;
}

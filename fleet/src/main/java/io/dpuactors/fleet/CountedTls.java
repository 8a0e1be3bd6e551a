package io.dpuactors.fleet;

import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLSession;
import org.apache.pekko.actor.ActorSystem;
import org.apache.pekko.remote.artery.tcp.SSLEngineProvider;
import org.apache.pekko.remote.artery.tcp.ssl.RotatingKeysSSLEngineProvider;
import scala.Option;

/**
 * TLS of Pekko's rotating keys, with counters for refused clients and a limit of frames. Pekko
 * passes no address of the client to TLS. Thread: any.
 */
final class CountedTls implements SSLEngineProvider {
  private final RotatingKeysSSLEngineProvider keys;
  private final Refusals refusals;
  private final int maxFrameBytes;

  /** Called by Pekko. */
  CountedTls(ActorSystem system) {
    keys = new RotatingKeysSSLEngineProvider(system);
    refusals = Refusals.of(system);
    maxFrameBytes =
        system
            .settings()
            .config()
            .getBytes("pekko.remote.artery.advanced.maximum-large-frame-size")
            .intValue();
  }

  @Override
  public SSLEngine createServerSSLEngine(String hostname, int port) {
    return new CountedSslEngine(
        keys.createServerSSLEngine(hostname, port),
        new FrameGuard(maxFrameBytes),
        failure -> refusals.count(Refusals.Reason.of(failure), failure.toString()));
  }

  @Override
  public SSLEngine createClientSSLEngine(String hostname, int port) {
    return keys.createClientSSLEngine(hostname, port);
  }

  @Override
  public Option<Throwable> verifyClientSession(String hostname, SSLSession session) {
    return keys.verifyClientSession(hostname, session);
  }

  @Override
  public Option<Throwable> verifyServerSession(String hostname, SSLSession session) {
    Option<Throwable> failure = keys.verifyServerSession(hostname, session);
    if (failure.isDefined()) {
      refusals.count(Refusals.Reason.OTHER_CERTIFICATE, failure.get().toString());
    }
    return failure;
  }
}

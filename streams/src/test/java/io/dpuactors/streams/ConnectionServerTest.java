package io.dpuactors.streams;

import static io.dpuactors.streams.StreamRig.docaFailure;
import static io.dpuactors.streams.StreamRig.failure;
import static io.dpuactors.streams.StreamRig.get;
import static org.assertj.core.api.Assertions.assertThat;

import io.dpuactors.bridge.DocaCode;
import io.dpuactors.bridge.DocaException;
import io.dpuactors.protocol.ClientOptions;
import io.dpuactors.protocol.ServerOptions;
import io.dpuactors.streams.ConnectionRig.Running;
import io.dpuactors.testing.CleanLog;
import io.dpuactors.testing.ComchPair;
import io.dpuactors.testing.FreshSoftDpu;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.apache.pekko.Done;
import org.apache.pekko.NotUsed;
import org.apache.pekko.actor.testkit.typed.javadsl.TestProbe;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.japi.Pair;
import org.apache.pekko.stream.javadsl.Flow;
import org.apache.pekko.stream.javadsl.Keep;
import org.apache.pekko.stream.javadsl.Sink;
import org.apache.pekko.stream.javadsl.Source;
import org.apache.pekko.util.ByteString;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests servers and listeners as sources of connections. */
@ExtendWith({CleanLog.class, FreshSoftDpu.class})
class ConnectionServerTest {
  private static final ByteString ONE = ByteString.fromString("one");

  private static Flow<ByteString, ByteString, NotUsed> echo() {
    return Flow.create();
  }

  @ParameterizedTest
  @EnumSource
  void aMissingServerFailsTheStream(Transport transport) throws Exception {
    try (ConnectionRig rig = ConnectionRig.create(transport)) {
      Running client = rig.run(Source.single(ONE), rig.ends.missing());
      docaFailure(client.end());
      docaFailure(client.elements());
    }
  }

  @ParameterizedTest
  @EnumSource
  void anUnbindClosesTheConnectionsAndCompletesTheSource(Transport transport) throws Exception {
    try (ConnectionRig rig = ConnectionRig.create(transport)) {
      Running client = rig.run(Source.maybe());
      CompletionStage<StreamStatistics> server = rig.serve(echo());
      get(rig.binding.unbind());
      docaFailure(client.end());
      docaFailure(server);
      assertThat(rig.next()).isEmpty();
      get(rig.binding.whenUnbound());
    }
  }

  @ParameterizedTest
  @EnumSource
  void anUnbindWithALimitWaitsForTheStreams(Transport transport) throws Exception {
    try (ConnectionRig rig = ConnectionRig.create(transport)) {
      CompletableFuture<ByteString> last = new CompletableFuture<>();
      Running client = rig.run(Source.single(ONE).concat(Source.completionStage(last)));
      CompletionStage<StreamStatistics> server = rig.serve(echo());
      CompletionStage<Done> unbound = rig.binding.unbind(Duration.ofMinutes(5));
      docaFailure(rig.run(Source.single(ONE)).end());
      assertThat(unbound.toCompletableFuture()).isNotDone();
      last.complete(ONE);
      assertThat(get(client.elements())).containsExactly(ONE, ONE);
      get(server);
      get(unbound);
      assertThat(rig.next()).isEmpty();
    }
  }

  @ParameterizedTest
  @EnumSource
  void anUnbindFailsTheStreamsAtItsLimit(Transport transport) throws Exception {
    try (ConnectionRig rig = ConnectionRig.create(transport)) {
      Running client = rig.run(Source.maybe());
      CompletionStage<StreamStatistics> server = rig.serve(echo());
      get(rig.binding.unbind(Duration.ofMillis(1)));
      docaFailure(client.end());
      docaFailure(server);
    }
  }

  @ParameterizedTest
  @EnumSource
  void aCancelledSourceOfConnectionsStopsTheServer(Transport transport) throws Exception {
    try (ConnectionRig rig = ConnectionRig.create(transport)) {
      rig.cancelIncoming();
      get(rig.binding.whenUnbound());
      docaFailure(rig.run(Source.single(ONE)).end());
    }
  }

  @ParameterizedTest
  @EnumSource
  void aServerThatEndsByItselfFailsTheSourceOfConnections(Transport transport) throws Exception {
    try (ConnectionRig rig = ConnectionRig.create(transport)) {
      ConnectionRig.stop(rig.binding.server());
      assertThat(failure(rig.pull())).hasMessageContaining("the server has ended");
    }
  }

  @ParameterizedTest
  @EnumSource
  void aSecondServerOfTheSameAddressFailsItsSource(Transport transport) throws Exception {
    try (ConnectionRig rig = ConnectionRig.create(transport)) {
      Pair<CompletionStage<ServerBinding<?>>, CompletionStage<Done>> run =
          rig.ends.bind().toMat(Sink.ignore(), Keep.both()).run(rig.actors());
      docaFailure(run.first());
      docaFailure(run.second());
    }
  }

  @ParameterizedTest
  @EnumSource
  void aConnectionHasOneStream(Transport transport) throws Exception {
    try (ConnectionRig rig = ConnectionRig.create(transport)) {
      Running client = rig.run(Source.single(ONE));
      IncomingConnection<?> incoming = rig.next().orElseThrow();
      CompletionStage<StreamStatistics> one = incoming.handleWith(echo(), rig.actors());
      CompletionStage<StreamStatistics> other = incoming.handleWith(echo(), rig.actors());
      // The two streams start in any order. The stream that starts first gets the connection.
      CompletionStage<Throwable> refused =
          one.handle((statistics, failure) -> failure)
              .thenCombine(
                  other.handle((statistics, failure) -> failure),
                  (first, second) -> first == null ? second : first);
      assertThat(get(client.elements())).containsExactly(ONE);
      assertThat(((DocaException) get(refused)).error().code()).isEqualTo(DocaCode.IN_USE);
      assertThat(one.toCompletableFuture().isCompletedExceptionally())
          .isNotEqualTo(other.toCompletableFuture().isCompletedExceptionally());
    }
  }

  @ParameterizedTest
  @EnumSource
  void aConnectionWithoutAStreamClosesAtTheDeadline(Transport transport) throws Exception {
    try (ConnectionRig rig =
        ConnectionRig.create(transport, "dpu.engine.open-deadline = 300ms", 16)) {
      TestProbe<Object> events = rig.system.kit.createTestProbe();
      rig.plain(events.getRef());
      Transport.expectClosed(events);
      IncomingConnection<?> late = rig.next().orElseThrow();
      assertThat(docaFailure(late.handleWith(echo(), rig.actors())).error().code())
          .isEqualTo(DocaCode.SHUTDOWN);
    }
  }

  @Test
  void aPeerThatOpensNoStreamFailsItAtTheDeadline() throws Exception {
    try (ConnectionRig rig =
        ConnectionRig.create(Transport.COMCH, "dpu.engine.open-deadline = 300ms", 16)) {
      ComchPair.openServer(
          rig.system,
          rig.system.engine,
          "mute",
          ServerOptions.of("mute", connection -> Behaviors.ignore()));
      Running client =
          rig.run(
              Source.single(ONE),
              Comch.outgoingConnection(rig.system.engine, ClientOptions.of("mute")));
      assertThat(docaFailure(client.end()).error().code()).isEqualTo(DocaCode.TIME_OUT);
    }
  }
}

package io.dpuactors.comch;

import io.dpuactors.bridge.DocaCode;
import io.dpuactors.comch.ServerRig.Pair;
import io.dpuactors.protocol.ConnectionProtocol;
import io.dpuactors.protocol.ConnectionProtocol.AwaitConsumer;
import io.dpuactors.protocol.ConnectionProtocol.NoConsumer;
import io.dpuactors.protocol.ConnectionProtocol.OpenProducer;
import io.dpuactors.protocol.ConnectionProtocol.ReceiveFailed;
import io.dpuactors.protocol.ConnectionProtocol.ReceiveMessage;
import io.dpuactors.protocol.ConnectionProtocol.SendFailed;
import io.dpuactors.protocol.ContextReply.OpenFailed;
import io.dpuactors.protocol.DataOptions;
import io.dpuactors.protocol.ProducerProtocol.ProduceFailed;
import io.dpuactors.testing.FreshSoftDpu;
import io.dpuactors.testing.Ledger;
import io.dpuactors.testing.Ledger.Kind;
import java.time.Duration;
import java.util.function.Consumer;
import java.util.function.Function;
import org.apache.pekko.actor.typed.ActorRef;

/** Requests that exceed their deadline, one for each state that accepts requests. */
@SuppressWarnings("ImmutableEnumChecker") // Lambdas without state.
enum LateAnswer {
  CONNECTION_MESSAGE_IN_FLIGHT(
      "dpu.comch.connection.deadline = 50ms",
      rig -> {
        FreshSoftDpu.DEVICE.faults("comch-send:delay=1s:nth=1");
        rig.send(rig.bystanderServed.connection(), "late");
      },
      LateAnswer::sent),
  CLIENT_MESSAGE_IN_FLIGHT(
      "dpu.comch.connection.deadline = 50ms",
      rig -> {
        FreshSoftDpu.DEVICE.faults("comch-send:delay=1s:nth=1");
        rig.send(rig.bystander, "late");
      },
      LateAnswer::sent),
  CLIENT_MESSAGE_WAITING(
      "dpu.comch.connection { deadline = 50ms, window = 1 }",
      rig -> {
        FreshSoftDpu.DEVICE.faults("comch-send:delay=1s:nth=1");
        rig.send(rig.bystander, "late");
        rig.send(rig.bystander, "later");
      },
      ledger -> {
        ledger.await(SendFailed.class, 2);
        return sent(ledger);
      }),
  CLIENT_RECEIVING("", rig -> receive(rig, rig.bystander), LateAnswer::received),
  CLIENT_AWAITING_CONSUMER("", rig -> await(rig, rig.bystander), LateAnswer::awaited),
  CONNECTION_AWAITING_CONSUMER(
      "", rig -> await(rig, rig.bystanderServed.connection()), LateAnswer::awaited),
  PRODUCER_WAITING_FOR_CREDIT(
      "dpu.comch.producer.deadline = 50ms", rig -> rig.pair(true), LateAnswer::produced),
  PRODUCER_IN_FLIGHT(
      "dpu.comch.producer.deadline = 500ms",
      rig -> {
        Pair pair = rig.pair(true);
        FreshSoftDpu.DEVICE.faults("comch-producer-send:delay=1s");
        Fixtures.slowBlock(rig, pair);
      },
      LateAnswer::produced),
  CLIENT_CONNECTING_MESSAGE(
      "dpu.comch.connection.deadline = 50ms",
      rig -> rig.send(client(Fixtures.connecting(rig)), "late"),
      LateAnswer::sent),
  CLIENT_CONNECTING_RECEIVING(
      "", rig -> receive(rig, client(Fixtures.connecting(rig))), LateAnswer::received),
  CLIENT_BACKING_OFF_MESSAGE(
      "dpu.comch.connection.deadline = 50ms",
      rig -> rig.send(client(Fixtures.waiting(rig)), "late"),
      LateAnswer::sent),
  CLIENT_BACKING_OFF_RECEIVING(
      "", rig -> receive(rig, client(Fixtures.waiting(rig))), LateAnswer::received),
  CLIENT_BACKING_OFF_AWAITING_CONSUMER(
      "", rig -> await(rig, client(Fixtures.waiting(rig))), LateAnswer::awaited),
  CLIENT_BACKING_OFF_OPENING_PRODUCER(
      "dpu.comch.connection.deadline = 50ms",
      rig ->
          client(Fixtures.waiting(rig))
              .tell(new OpenProducer("out", DataOptions.defaults(), rig.ledger.asks(Kind.OPEN))),
      ledger -> ledger.await(OpenFailed.class, 1).get(0).error().code());

  private static final Duration BRIEF = Duration.ofMillis(50);

  final String settings;
  final Consumer<ServerRig> ask;
  private final Function<Ledger, DocaCode> answer;

  LateAnswer(String settings, Consumer<ServerRig> ask, Function<Ledger, DocaCode> answer) {
    this.settings = settings;
    this.ask = ask;
    this.answer = answer;
  }

  /** Returns the code of the answer. */
  DocaCode await(ServerRig rig) {
    return answer.apply(rig.ledger);
  }

  private static DocaCode sent(Ledger ledger) {
    return ledger.await(SendFailed.class, 1).get(0).error().code();
  }

  private static DocaCode received(Ledger ledger) {
    return ledger.await(ReceiveFailed.class, 1).get(0).error().code();
  }

  private static DocaCode awaited(Ledger ledger) {
    return ledger.await(NoConsumer.class, 1).get(0).error().code();
  }

  private static DocaCode produced(Ledger ledger) {
    return ledger.await(ProduceFailed.class, 1).get(0).error().code();
  }

  private static void receive(ServerRig rig, ActorRef<ConnectionProtocol.Command> connection) {
    connection.tell(new ReceiveMessage(BRIEF, rig.ledger.asks(Kind.RECEIVE)));
  }

  private static void await(ServerRig rig, ActorRef<ConnectionProtocol.Command> connection) {
    connection.tell(new AwaitConsumer(BRIEF, rig.ledger.asks(Kind.AWAIT)));
  }

  @SuppressWarnings("unchecked") // The first actor is the client.
  private static ActorRef<ConnectionProtocol.Command> client(Fixture fixture) {
    return (ActorRef<ConnectionProtocol.Command>) fixture.ends().get(0);
  }
}

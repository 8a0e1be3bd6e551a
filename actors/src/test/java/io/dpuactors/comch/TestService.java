package io.dpuactors.comch;

import io.dpuactors.comch.ServerRig.Served;
import io.dpuactors.protocol.ConnectionBehavior;
import io.dpuactors.protocol.ConnectionEvent;
import io.dpuactors.protocol.ConnectionEvent.ConsumerJoined;
import io.dpuactors.protocol.ConnectionEvent.Message;
import io.dpuactors.protocol.ConnectionProtocol;
import io.dpuactors.protocol.ConnectionProtocol.Send;
import io.dpuactors.testing.BlockPoint;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.Behaviors;

/** A service that answers {@code ping}, and fails or stops on request. */
final class TestService {
  private TestService() {}

  /** Returns a behavior that reports each connection that it serves. */
  static ConnectionBehavior reporting(ActorRef<Served> to, BlockPoint blockPoint) {
    return connection ->
        Behaviors.setup(
            context -> {
              Queue<Integer> joined = new ConcurrentLinkedQueue<>();
              to.tell(new Served(connection, context.getSelf(), joined));
              return serving(connection, blockPoint, joined);
            });
  }

  private static Behavior<ConnectionEvent> serving(
      ActorRef<ConnectionProtocol.Command> connection,
      BlockPoint blockPoint,
      Queue<Integer> joined) {
    return Behaviors.receive(ConnectionEvent.class)
        .onMessage(Message.class, message -> on(message.text(), connection, blockPoint))
        .onMessage(
            ConsumerJoined.class,
            event -> {
              joined.add(event.consumer());
              return Behaviors.same();
            })
        .onAnyMessage(event -> Behaviors.same())
        .build();
  }

  private static Behavior<ConnectionEvent> on(
      String text, ActorRef<ConnectionProtocol.Command> connection, BlockPoint blockPoint) {
    switch (text) {
      case "ping" -> connection.tell(Send.orFail("pong"));
      case "throw" -> throw new IllegalStateException("as the test has asked");
      case "leave" -> {
        return Behaviors.stopped();
      }
      case "block" -> blockPoint.block();
      default -> {}
    }
    return Behaviors.same();
  }
}

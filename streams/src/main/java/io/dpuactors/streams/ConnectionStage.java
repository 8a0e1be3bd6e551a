package io.dpuactors.streams;

import java.util.concurrent.CompletionStage;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.japi.Pair;
import org.apache.pekko.stream.Attributes;
import org.apache.pekko.stream.FlowShape;
import org.apache.pekko.stream.Inlet;
import org.apache.pekko.stream.Outlet;
import org.apache.pekko.stream.stage.AbstractGraphStageWithMaterializedValue;
import org.apache.pekko.stream.stage.GraphStageLogic;
import org.apache.pekko.util.ByteString;
import org.jspecify.annotations.Nullable;

/** One end of a stream over a connection, as a stage. {@link ConnectionLogic} has its logic. */
final class ConnectionStage
    extends AbstractGraphStageWithMaterializedValue<
        FlowShape<ByteString, ByteString>, CompletionStage<StreamStatistics>> {
  /** Opens the connection of one materialization. */
  @FunctionalInterface
  interface Opening {
    /**
     * Returns the relay of the connection; the stage sends it the message. If there is none,
     * returns null and starts to open a connection. Its relay will have the stream. The actor that
     * opens the connection reports the end if no connection opens: see {@link Opener}.
     */
    @Nullable ActorRef<Relay.Command> open(Relay.Attach attach, ActorSystem<?> system);
  }

  private final Inlet<ByteString> in = Inlet.create("Connection.in");
  private final Outlet<ByteString> out = Outlet.create("Connection.out");
  private final FlowShape<ByteString, ByteString> shape = FlowShape.of(in, out);
  private final StreamLimits.Source limits;
  private final Opening opening;

  ConnectionStage(StreamLimits.Source limits, Opening opening) {
    this.limits = limits;
    this.opening = opening;
  }

  @Override
  public FlowShape<ByteString, ByteString> shape() {
    return shape;
  }

  @Override
  public Pair<GraphStageLogic, CompletionStage<StreamStatistics>>
      createLogicAndMaterializedValuePair(Attributes attributes) {
    StreamEnd end = new StreamEnd();
    return Pair.create(
        new ConnectionLogic(shape, limits, opening, end), Failures.plain(end.result()));
  }
}

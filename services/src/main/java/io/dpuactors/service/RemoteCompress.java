package io.dpuactors.service;

import io.dpuactors.bridge.BufferPool;
import io.dpuactors.bridge.DocaCode;
import io.dpuactors.bridge.DocaError;
import io.dpuactors.protocol.CompressProtocol;
import io.dpuactors.protocol.CompressProtocol.Deflate;
import io.dpuactors.protocol.CompressProtocol.GetCapabilities;
import io.dpuactors.protocol.CompressProtocol.Inflate;
import io.dpuactors.protocol.ConnectionEvent.ConsumerJoined;
import io.dpuactors.protocol.ConnectionEvent.Message;
import io.dpuactors.protocol.ConnectionProtocol;
import io.dpuactors.protocol.ConnectionProtocol.Subscribe;
import io.dpuactors.protocol.ConsumerProtocol.ConsumerReply;
import io.dpuactors.protocol.ContextReply.OpenFailed;
import io.dpuactors.protocol.ContextReply.Opened;
import io.dpuactors.protocol.EngineProtocol;
import io.dpuactors.protocol.MemoryProtocol.PoolFailed;
import io.dpuactors.protocol.MemoryProtocol.PoolOpened;
import io.dpuactors.protocol.ProducerProtocol.ProducerReply;
import io.dpuactors.protocol.Stop;
import io.dpuactors.protocol.Stopped;
import io.dpuactors.protocol.TaskRequest;
import io.dpuactors.wire.CompressMessage.Hello;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.actor.typed.javadsl.Receive;
import org.apache.pekko.actor.typed.javadsl.TimerScheduler;
import org.jspecify.annotations.Nullable;

/**
 * The client's end of the compress service. The actor takes the commands of a compress context. The
 * server's context executes {@code Deflate}. The CPU executes {@code Inflate} here, which only
 * checks results. The CRC-32 of each reply is that of the source, of the block at the server, and
 * of the data that the device read.
 *
 * <p>This actor computes checksums: do not run it on the engine's thread.
 */
public final class RemoteCompress extends ConnectionEnd {
  private static final int CREDIT = 16;

  /** Event for the listener. */
  public sealed interface Event {}

  /**
   * The actor accepts blocks.
   *
   * @param context takes requests whose buffers are leases of these pools
   * @param sources a window of buffers for content; each holds one block
   * @param destinations a window of buffers for results
   */
  public record Ready(
      ActorRef<CompressProtocol.Command> context, BufferPool sources, BufferPool destinations)
      implements Event {}

  /**
   * The actor has stopped. The last event. The connection is closed and the memory released; soon
   * after this event if the actor has thrown, or its parent has stopped it.
   *
   * @param failure empty: every block returned, and both sides have the same totals
   */
  public record Ended(Optional<String> failure) implements Event {}

  /** Ends the stream: the actor compares the totals and stops. The reply is {@link Ended}. */
  public enum Finish {
    /** The only instance. */
    INSTANCE
  }

  private final ActorRef<? super Event> listener;
  private final CompressChannel channel;
  private final CompressDialog dialog;
  private final BlockCrc totals = new BlockCrc();
  private @Nullable RemoteBlocks blocks;
  private int remoteConsumer;
  private @Nullable DocaError failure;
  private final List<ActorRef<Stopped>> stopRequesters = new ArrayList<>();

  private RemoteCompress(
      ActorContext<Object> context,
      TimerScheduler<Object> timers,
      ActorRef<ConnectionProtocol.Command> connection,
      ActorRef<EngineProtocol.Command> engine,
      Optional<String> device,
      Hello requested,
      ActorRef<? super Event> listener) {
    super(context, connection, engine);
    this.channel = new CompressChannel(this, device, /* receivesSources= */ false);
    this.dialog =
        new CompressDialog(
            connection,
            timers,
            requested,
            totals,
            granted ->
                channel.open(granted.window(), granted.blockBytes(), granted.payloadBytes()));
    this.listener = listener;
    connection.tell(new Subscribe(self(), CREDIT));
    dialog.begin();
  }

  /**
   * Connects to a server of the compress service.
   *
   * @param connection of a client; it has no other subscriber
   * @param engine of the connection
   * @param device PCI address of the connection's device; empty: the device that the engine opened
   *     first
   * @param requested requested limits; the server may grant less
   * @param listener receives {@link Ready}, unless the start fails, then {@link Ended}
   */
  public static Behavior<Object> create(
      ActorRef<ConnectionProtocol.Command> connection,
      ActorRef<EngineProtocol.Command> engine,
      Optional<String> device,
      Hello requested,
      ActorRef<? super Event> listener) {
    return Behaviors.setup(
        context ->
            Behaviors.withTimers(
                timers ->
                    new RemoteCompress(
                        context, timers, connection, engine, device, requested, listener)));
  }

  @Override
  public Receive<Object> createReceive() {
    return receiving()
        .onMessage(Deflate.class, this::onDeflate)
        .onMessage(ConsumerReply.class, this::onConsumerReply)
        .onMessage(ProducerReply.class, this::onProducerReply)
        .onMessage(Inflate.class, this::onInflate)
        .onMessage(TaskRequest.class, this::onUnknown)
        .onMessage(GetCapabilities.class, this::onGetCapabilities)
        .onMessage(Stop.class, this::onStop)
        .onMessageEquals(Finish.INSTANCE, this::onFinish)
        .onMessage(Message.class, this::onMessage)
        .onMessage(ConsumerJoined.class, this::onConsumerJoined)
        .onMessage(PoolOpened.class, channel::on)
        .onMessage(PoolFailed.class, failed -> onRefused(failed.error()))
        .onMessage(Opened.class, this::onOpened)
        .onMessage(OpenFailed.class, failed -> onRefused(failed.error()))
        .onMessageEquals(CompressDialog.Tick.LATE, this::onLate)
        .onAnyMessage(other -> this)
        .build();
  }

  private Behavior<Object> onMessage(Message message) {
    if (isStopping()) {
      return this;
    }
    DocaError error = dialog.on(message.bytes());
    if (error != null) {
      return fail(error);
    }
    return dialog.isComplete() ? stop() : this;
  }

  private Behavior<Object> onOpened(Opened<?> opened) {
    channel.on(opened);
    return isStopping() ? continueStop() : checkReady();
  }

  private Behavior<Object> onRefused(DocaError error) {
    replyReceived();
    return failUnlessEnd(error);
  }

  private Behavior<Object> onConsumerJoined(ConsumerJoined joined) {
    if (remoteConsumer == 0) {
      remoteConsumer = joined.consumer();
    }
    return checkReady();
  }

  private Behavior<Object> checkReady() {
    if (blocks == null && channel.isOpen() && remoteConsumer != 0 && !isStopping()) {
      dialog.ready();
      blocks = new RemoteBlocks(this, channel, remoteConsumer, totals);
      listener.tell(new Ready(self(), channel.sources(), channel.destinations()));
    }
    return this;
  }

  private Behavior<Object> onDeflate(Deflate request) {
    if (blocks != null && !dialog.isFinishing() && !isStopping()) {
      blocks.accept(request);
      dialog.expectMembers(blocks.inFlight());
    } else {
      DocaError why = failure;
      request.refuse(
          why == null
              ? CompressDialog.error(DocaCode.SHUTDOWN, "the connection takes no more blocks")
              : why);
    }
    return this;
  }

  private Behavior<Object> onConsumerReply(ConsumerReply reply) {
    replyReceived();
    if (blocks == null) {
      return continueStop();
    }
    DocaError error = blocks.on(reply);
    dialog.expectMembers(blocks.inFlight());
    return onAnswer(error);
  }

  private Behavior<Object> onProducerReply(ProducerReply reply) {
    replyReceived();
    return blocks == null ? continueStop() : onAnswer(blocks.on(reply));
  }

  /** Ends the connection after an error of one block: the later members match no block. */
  private Behavior<Object> onAnswer(@Nullable DocaError error) {
    return error == null || isStopping() ? continueStop() : failUnlessEnd(error);
  }

  /**
   * Fails with an error of a request. The reply of a request may arrive before the event that the
   * connection has ended.
   */
  private Behavior<Object> failUnlessEnd(DocaError error) {
    return isEnd(error) ? lost("the connection ended: " + error) : fail(error);
  }

  private Behavior<Object> onInflate(Inflate request) {
    LocalInflate.answer(request);
    return this;
  }

  private Behavior<Object> onUnknown(TaskRequest request) {
    request.refuse(
        CompressDialog.error(DocaCode.NOT_SUPPORTED, "the compress service only deflates"));
    return this;
  }

  private Behavior<Object> onGetCapabilities(GetCapabilities request) {
    request.replyTo().tell(RemoteBlocks.capabilities(dialog.welcome()));
    return this;
  }

  private Behavior<Object> onStop(Stop stop) {
    stop.replyTo().ifPresent(stopRequesters::add);
    return stop();
  }

  /** {@inheritDoc} Answers what is left if the actor has thrown, or its parent has stopped it. */
  @Override
  void ended() {
    if (blocks != null) {
      blocks.abandon(CompressDialog.error(DocaCode.SHUTDOWN, "the actor of the connection ended"));
    }
    String why = failure == null ? "stopped before the summary" : failure.about();
    listener.tell(new Ended(dialog.isComplete() ? Optional.empty() : Optional.of(why)));
    stopRequesters.forEach(requester -> requester.tell(outcome()));
  }

  private Behavior<Object> onFinish() {
    if (!isStopping()) {
      dialog.finish();
    }
    return this;
  }

  private Behavior<Object> onLate() {
    return isStopping() ? this : fail(CompressDialog.late());
  }

  private Behavior<Object> fail(DocaError why) {
    if (failure == null && !dialog.isComplete()) {
      failure = why;
      if (blocks != null) {
        blocks.fail(why);
      }
    }
    return stop();
  }

  @Override
  Behavior<Object> lost(String why) {
    return isStopping() ? stop() : fail(CompressDialog.error(DocaCode.CONNECTION_RESET, why));
  }

  @Override
  void releaseLeases() {}
}

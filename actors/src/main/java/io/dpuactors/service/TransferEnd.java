package io.dpuactors.service;

import io.dpuactors.protocol.EngineProtocol;
import io.dpuactors.protocol.EngineProtocol.MemoryCommand;
import io.dpuactors.protocol.comch.ConnectionProtocol;
import io.dpuactors.protocol.comch.ConnectionProtocol.Subscribe;
import io.dpuactors.service.Transfer.TransferFailed;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.jspecify.annotations.Nullable;

/**
 * A client that wants blocks, wherever they come from: it has one result, and answers when all is
 * over.
 */
abstract class TransferEnd extends Lender {
  private static final int CREDIT = 16;

  private final ActorRef<? super Transfer> replyTo;
  private @Nullable Transfer result;

  TransferEnd(
      ActorContext<Object> context,
      ActorRef<ConnectionProtocol.Command> connection,
      ActorRef<EngineProtocol.Command> engine,
      ActorRef<MemoryCommand> memory,
      ActorRef<? super Transfer> replyTo) {
    super(context, connection, engine, memory);
    this.replyTo = replyTo;
    connection.tell(new Subscribe(self(), CREDIT));
  }

  /** Something went wrong; what went wrong first is told. */
  final Behavior<Object> fail(String why) {
    return end(new TransferFailed(why));
  }

  /** This is the result, unless there is one. */
  final Behavior<Object> end(Transfer is) {
    if (result == null) {
      result = is;
    }
    return leave();
  }

  @Override
  final Behavior<Object> lost(String why) {
    return fail(why);
  }

  @Override
  final void ended() {
    replyTo.tell(result == null ? new TransferFailed("the engine has ended") : result);
  }
}

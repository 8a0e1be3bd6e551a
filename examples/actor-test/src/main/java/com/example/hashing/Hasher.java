package com.example.hashing;

import io.dpuactors.bridge.Buffer;
import io.dpuactors.bridge.BufferPool;
import io.dpuactors.protocol.CompressProtocol.Deflate;
import io.dpuactors.protocol.CompressProtocol;
import io.dpuactors.protocol.TaskReply.Completed;
import io.dpuactors.protocol.TaskReply.Failed;
import io.dpuactors.protocol.TaskReply.Ownership;
import io.dpuactors.protocol.TaskReply;
import java.time.Duration;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;

/**
 * An actor that hashes data on the device: a deflate task also computes the CRC-32 of its source.
 */
public final class Hasher {
  /** A message to the actor. */
  public sealed interface Command {}

  /** Asks for the hash of data, at most as long as a buffer of the pool. */
  public record Hash(byte[] data, ActorRef<Reply> replyTo) implements Command {}

  private record Ended(TaskReply reply, ActorRef<Reply> replyTo) implements Command {}

  private record NoAnswer(Throwable cause, ActorRef<Reply> replyTo) implements Command {}

  /** The answer to {@link Hash}. */
  public sealed interface Reply {}

  /** The hash of the data. */
  public record Hashed(int crc32) implements Reply {}

  /** The data was not hashed. */
  public record NotHashed(String reason) implements Reply {}

  private Hasher() {}

  /** Creates the actor. */
  public static Behavior<Command> create(
      ActorRef<CompressProtocol.Command> compress, BufferPool pool) {
    return Behaviors.setup(
        context ->
            Behaviors.receive(Command.class)
                .onMessage(Hash.class, hash -> onHash(context, compress, pool, hash))
                .onMessage(Ended.class, ended -> onEnded(ended.reply(), ended.replyTo()))
                .onMessage(
                    NoAnswer.class,
                    none -> answer(none.replyTo(), new NotHashed(none.cause().getMessage())))
                .build());
  }

  private static Behavior<Command> onHash(
      ActorContext<Command> context,
      ActorRef<CompressProtocol.Command> compress,
      BufferPool pool,
      Hash hash) {
    Buffer src = pool.lease();
    Buffer dst = src == null ? null : pool.lease();
    if (dst == null) {
      if (src != null) {
        src.release();
      }
      return answer(hash.replyTo(), new NotHashed("no buffer is free"));
    }
    src.bytes().put(hash.data());
    src.length(hash.data().length);
    context.ask(
        TaskReply.class,
        compress,
        Duration.ofSeconds(10),
        me -> new Deflate(src, dst, me),
        (reply, failure) ->
            reply != null
                ? new Ended(reply, hash.replyTo())
                : new NoAnswer(failure, hash.replyTo()));
    return Behaviors.same();
  }

  private static Behavior<Command> onEnded(TaskReply reply, ActorRef<Reply> replyTo) {
    boolean isRetained = reply instanceof Failed late && late.ownership() == Ownership.RETAINED;
    if (!isRetained) {
      reply.src().release();
      reply.dst().release();
    }
    return answer(
        replyTo,
        reply instanceof Completed done
            ? new Hashed(done.crc32())
            : new NotHashed(reply.toString()));
  }

  private static Behavior<Command> answer(ActorRef<Reply> replyTo, Reply reply) {
    replyTo.tell(reply);
    return Behaviors.same();
  }
}

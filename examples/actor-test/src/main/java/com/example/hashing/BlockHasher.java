package com.example.hashing;

import io.dpuactors.bridge.Buffer;
import io.dpuactors.bridge.BufferPool;
import io.dpuactors.protocol.CompressProtocol;
import io.dpuactors.protocol.CompressProtocol.Deflate;
import io.dpuactors.protocol.TaskReply;
import io.dpuactors.protocol.TaskReply.Completed;
import java.util.Arrays;
import java.util.List;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.AbstractBehavior;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.actor.typed.javadsl.Receive;

/**
 * An actor that hashes blocks on the device, all at the same time. The answer of the actor has the
 * hashes in the order of the blocks.
 */
public class BlockHasher extends AbstractBehavior<TaskReply> {
  /** The CRC-32 of each block. */
  public record Hashes(List<Integer> crc32) {}

  private final ActorRef<Hashes> replyTo;

  /** The hashes that have arrived. */
  protected final Integer[] hashes;

  /** Number of hashes that have arrived. */
  protected int completed;

  /**
   * Starts the tasks.
   *
   * @param pool has two free buffers for each block
   */
  protected BlockHasher(
      ActorContext<TaskReply> context,
      ActorRef<CompressProtocol.Command> compress,
      BufferPool pool,
      List<byte[]> blocks,
      ActorRef<Hashes> replyTo) {
    super(context);
    this.replyTo = replyTo;
    this.hashes = new Integer[blocks.size()];
    for (int i = 0; i < blocks.size(); i++) {
      Buffer src = pool.lease();
      src.bytes().put(blocks.get(i));
      src.length(blocks.get(i).length);
      compress.tell(new Deflate(src, pool.lease(), i, context.getSelf()));
    }
  }

  /** Creates the actor. */
  public static Behavior<TaskReply> create(
      ActorRef<CompressProtocol.Command> compress,
      BufferPool pool,
      List<byte[]> blocks,
      ActorRef<Hashes> replyTo) {
    return Behaviors.setup(context -> new BlockHasher(context, compress, pool, blocks, replyTo));
  }

  @Override
  public Receive<TaskReply> createReceive() {
    return newReceiveBuilder().onMessage(Completed.class, this::onCompleted).build();
  }

  private Behavior<TaskReply> onCompleted(Completed reply) {
    keep(reply);
    completed++;
    reply.src().release();
    reply.dst().release();
    if (completed < hashes.length) {
      return this;
    }
    replyTo.tell(new Hashes(Arrays.asList(hashes)));
    return Behaviors.stopped();
  }

  /** Keeps a hash in the place of its block. */
  // tag::right[]
  protected void keep(Completed reply) {
    hashes[(int) reply.tag()] = reply.crc32();
  }
  // end::right[]
}

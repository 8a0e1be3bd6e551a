package io.dpuactors.simulation;

import io.dpuactors.bridge.Buffer;
import io.dpuactors.bridge.BufferPool;
import io.dpuactors.protocol.RdmaConnectionProtocol;
import io.dpuactors.protocol.RdmaConnectionProtocol.Failed;
import io.dpuactors.protocol.RdmaConnectionProtocol.PeerRequest;
import io.dpuactors.protocol.RdmaConnectionProtocol.Read;
import io.dpuactors.protocol.RdmaConnectionProtocol.Reply;
import io.dpuactors.protocol.RdmaConnectionProtocol.Send;
import io.dpuactors.protocol.RdmaConnectionProtocol.Write;
import io.dpuactors.protocol.TaskReply.Ownership;
import org.apache.pekko.actor.typed.ActorRef;
import org.jspecify.annotations.Nullable;

/** The requests of a client of an RDMA server, and their buffers. World's thread. */
final class RdmaTraffic {
  static final int MAX_AHEAD = 8;
  private static final int REQUESTS = 60;

  private final Run run;
  private final RdmaModel model;
  private final int number;
  private final int requests;
  private final int ahead;
  private @Nullable BufferPool local;
  private @Nullable BufferPool remote;
  private int sent;

  /**
   * Creates the requests of a client.
   *
   * @param number of the client, which has the part of the server's memory with this number
   */
  RdmaTraffic(Run run, RdmaModel model, int number) {
    this.run = run;
    this.model = model;
    this.number = number;
    this.requests = Math.min(REQUESTS, run.reduction().requests());
    this.ahead = run.oneOf(1, 4, MAX_AHEAD);
  }

  /** Returns the largest number of unanswered requests. */
  int ahead() {
    return ahead;
  }

  /** Accepts the room for own data, then the memory of the server. Returns whether it has both. */
  boolean accept(BufferPool pool) {
    if (local == null) {
      local = pool;
    } else {
      remote = pool;
    }
    return remote != null;
  }

  /** Returns whether all requests are sent and answered, and all messages have returned. */
  boolean isDone() {
    return sent == requests && model.unanswered() == 0 && model.messages() == 0;
  }

  /** Sends as many requests as may be unanswered. */
  void send(ActorRef<RdmaConnectionProtocol.Command> connection, ActorRef<Reply> replyTo) {
    while (sent < requests && model.unanswered() < ahead) {
      Buffer here = lease(local);
      if (here == null || !sendOne(connection, here, replyTo)) {
        return;
      }
    }
  }

  private static @Nullable Buffer lease(@Nullable BufferPool pool) {
    return pool == null || pool.isClosed() ? null : pool.lease();
  }

  private boolean sendOne(
      ActorRef<RdmaConnectionProtocol.Command> to, Buffer here, ActorRef<Reply> replyTo) {
    boolean isMessage = model.messages() < ahead && run.chance(40);
    Buffer there = isMessage ? null : lease(remote);
    if (!isMessage && there == null) {
      here.release();
      return false;
    }
    int tag = sent++;
    boolean isRead = there != null && model.hasWritten() && run.chance(50);
    if (there != null) {
      there.aim((long) number * RdmaProgram.BYTES, RdmaProgram.BYTES);
    }
    if (!isRead) {
      byte[] bytes = EchoMessage.of(tag, RdmaProgram.BYTES);
      here.bytes().clear().put(bytes);
      here.length(bytes.length);
    }
    to.tell(request(tag, here, there, isRead, replyTo));
    return true;
  }

  private PeerRequest request(
      int tag, Buffer here, @Nullable Buffer there, boolean isRead, ActorRef<Reply> replyTo) {
    if (there == null) {
      model.sends(tag);
      return new Send(here, tag, replyTo);
    }
    if (isRead) {
      model.reads(tag);
      return new Read(there, here, tag, replyTo);
    }
    model.writes(tag);
    return new Write(here, there, tag, replyTo);
  }

  /** Returns the buffers of an answer to their pools, unless the device holds them. */
  static void release(Reply reply) {
    if (reply instanceof Failed failed && failed.ownership() != Ownership.RETURNED) {
      return;
    }
    Buffer src = reply.src();
    Buffer dst = reply.dst();
    if (src != null) {
      src.release();
    }
    if (dst != null) {
      dst.release();
    }
  }

  /** Checks the leases when nothing happens any more and the engines run. */
  void checkAtRest(String name) {
    for (BufferPool pool : new BufferPool[] {local, remote}) {
      run.check(
          pool == null || pool.isClosed() || pool.available() == pool.capacity(),
          "%s did not get its buffers back: %s",
          name,
          pool);
    }
  }
}

package io.dpuactors.simulation;

import io.dpuactors.bridge.Buffer;
import io.dpuactors.bridge.BufferPool;
import io.dpuactors.bridge.TaskBatch;
import io.dpuactors.bridge.TaskKind;
import io.dpuactors.protocol.BatchReply;
import io.dpuactors.protocol.RdmaConnectionProtocol;
import io.dpuactors.protocol.RdmaConnectionProtocol.Batch;
import io.dpuactors.protocol.RdmaConnectionProtocol.Failed;
import io.dpuactors.protocol.RdmaConnectionProtocol.PeerRequest;
import io.dpuactors.protocol.RdmaConnectionProtocol.Read;
import io.dpuactors.protocol.RdmaConnectionProtocol.Reply;
import io.dpuactors.protocol.RdmaConnectionProtocol.Send;
import io.dpuactors.protocol.RdmaConnectionProtocol.Write;
import io.dpuactors.protocol.TaskReply.Ownership;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import org.apache.pekko.actor.typed.ActorRef;
import org.jspecify.annotations.Nullable;

/** The requests of a client of an RDMA server, and their buffers. World's thread. */
final class RdmaTraffic {
  static final int MAX_AHEAD = 8;
  private static final int REQUESTS = 60;

  /** Largest number of tasks that a batch draws. The free buffers may limit the batch. */
  private static final int MOST = 12;

  /** Kinds of requests. */
  private enum Kind {
    MESSAGE,
    WRITE,
    WRITE_WITH_IMMEDIATE,
    READ,
    ATOMIC,
    EVENT,
    BATCH
  }

  private final Run run;
  private final RdmaModel model;
  private final RdmaAtomics atomics;
  private final RdmaCounter counter;
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
  RdmaTraffic(Run run, RdmaModel model, RdmaAtomics atomics, RdmaCounter counter, int number) {
    this.run = run;
    this.model = model;
    this.atomics = atomics;
    this.counter = counter;
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

  /** Returns whether all requests are sent and answered, and nothing is on the way. */
  boolean isDone() {
    return sent >= requests && model.unanswered() == 0 && model.onTheWay() == 0;
  }

  /** Sends as many requests as may be unanswered. */
  void send(ActorRef<RdmaConnectionProtocol.Command> connection, ActorRef<Object> client) {
    while (sent < requests && model.unanswered() < ahead) {
      Buffer here = lease(local);
      if (here == null || !sendOne(connection, here, client)) {
        return;
      }
    }
  }

  private static @Nullable Buffer lease(@Nullable BufferPool pool) {
    return pool == null || pool.isClosed() ? null : pool.lease();
  }

  private Kind draw() {
    int drawn = run.draw(0, 99);
    boolean mayFollow = model.onTheWay() < ahead;
    if (drawn < 35 && mayFollow) {
      return Kind.MESSAGE;
    }
    if (drawn >= 95) {
      return Kind.BATCH;
    }
    if (drawn >= 87 && counter.isOpen()) {
      return Kind.EVENT;
    }
    if (drawn >= 77) {
      return Kind.ATOMIC;
    }
    if (drawn >= 67 && mayFollow) {
      return Kind.WRITE_WITH_IMMEDIATE;
    }
    return model.hasWritten() && run.chance(50) ? Kind.READ : Kind.WRITE;
  }

  private boolean sendOne(
      ActorRef<RdmaConnectionProtocol.Command> to, Buffer here, ActorRef<Object> client) {
    Kind kind = draw();
    if (kind == Kind.BATCH) {
      return sendBatch(to, here, client.narrow());
    }
    ActorRef<Reply> replyTo = client.narrow();
    if (kind == Kind.EVENT) {
      here.release();
      tell(to, counter.draw(sent++, replyTo));
      return true;
    }
    Buffer there = kind == Kind.MESSAGE ? null : lease(remote);
    if (kind != Kind.MESSAGE && there == null) {
      here.release();
      return false;
    }
    int tag = sent++;
    PeerRequest request =
        there == null ? message(tag, here, replyTo) : request(kind, tag, here, there, replyTo);
    tell(to, request);
    return true;
  }

  private void tell(ActorRef<RdmaConnectionProtocol.Command> to, PeerRequest request) {
    model.sent(request);
    to.tell(request);
  }

  /** Sends messages, reads or writes, as far as there are buffers. */
  private boolean sendBatch(
      ActorRef<RdmaConnectionProtocol.Command> to, Buffer first, ActorRef<BatchReply> replyTo) {
    TaskKind kind = drawBatch();
    boolean isSend = kind == TaskKind.RDMA_SEND;
    int most = Math.min(run.draw(1, MOST), isSend ? ahead - model.onTheWay() : requests - sent);
    List<Buffer> here = leases(local, most - 1);
    here.add(0, first);
    List<Buffer> there = isSend ? List.of() : leases(remote, here.size());
    while (!isSend && here.size() > there.size()) {
      here.remove(here.size() - 1).release();
    }
    if (here.isEmpty()) {
      return false;
    }
    there.forEach(lease -> lease.aim(RdmaStore.partOf(number), RdmaProgram.BYTES));
    Batch batch = new Batch(kind, batch(kind, here, there), sent, replyTo);
    sent += kind == TaskKind.RDMA_READ ? 1 : here.size();
    model.sent(batch);
    to.tell(batch);
    return true;
  }

  private TaskKind drawBatch() {
    TaskKind kind = run.oneOf(TaskKind.RDMA_SEND, TaskKind.RDMA_READ, TaskKind.RDMA_WRITE);
    boolean isPossible = kind == TaskKind.RDMA_SEND ? model.onTheWay() < ahead : model.hasWritten();
    return isPossible ? kind : TaskKind.RDMA_WRITE;
  }

  private TaskBatch batch(TaskKind kind, List<Buffer> here, List<Buffer> there) {
    if (kind == TaskKind.RDMA_READ) {
      return TaskBatch.of(there, here);
    }
    for (int task = 0; task < here.size(); task++) {
      filled(here.get(task), sent + task);
    }
    return kind == TaskKind.RDMA_SEND ? TaskBatch.ofSends(here) : TaskBatch.of(here, there);
  }

  /** Returns this number of leases, or those that are left. */
  private static List<Buffer> leases(@Nullable BufferPool pool, int count) {
    List<Buffer> leases = new ArrayList<>();
    Buffer next;
    while (leases.size() < count && (next = lease(pool)) != null) {
      leases.add(next);
    }
    return leases;
  }

  private PeerRequest message(int tag, Buffer here, ActorRef<Reply> replyTo) {
    OptionalInt immediate = run.chance(50) ? OptionalInt.of(tag) : OptionalInt.empty();
    return new Send(filled(here, tag), immediate, tag, replyTo);
  }

  private PeerRequest request(
      Kind kind, int tag, Buffer here, Buffer there, ActorRef<Reply> replyTo) {
    if (kind == Kind.ATOMIC) {
      return atomics.draw(there, here, tag, replyTo);
    }
    there.aim(RdmaStore.partOf(number), RdmaProgram.BYTES);
    if (kind == Kind.READ) {
      return new Read(there, here, tag, replyTo);
    }
    OptionalInt immediate =
        kind == Kind.WRITE ? OptionalInt.empty() : OptionalInt.of(RdmaEcho.immediate(number, tag));
    return new Write(filled(here, tag), there, immediate, tag, replyTo);
  }

  /** Puts the bytes of a message or a write into a buffer. */
  private static Buffer filled(Buffer buffer, int number) {
    byte[] bytes = EchoMessage.of(number, RdmaProgram.BYTES);
    buffer.bytes().clear().put(bytes);
    buffer.length(bytes.length);
    return buffer;
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

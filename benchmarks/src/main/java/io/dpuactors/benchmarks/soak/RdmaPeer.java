package io.dpuactors.benchmarks.soak;

import io.dpuactors.benchmarks.soak.SoakBuffers.Pair;
import io.dpuactors.bridge.Buffer;
import io.dpuactors.bridge.BufferPool;
import io.dpuactors.protocol.RdmaConnectionProtocol.Command;
import io.dpuactors.protocol.RdmaConnectionProtocol.CompareAndSwap;
import io.dpuactors.protocol.RdmaConnectionProtocol.FetchAndAdd;
import io.dpuactors.protocol.RdmaConnectionProtocol.Read;
import io.dpuactors.protocol.RdmaConnectionProtocol.Reply;
import io.dpuactors.protocol.RdmaConnectionProtocol.Send;
import io.dpuactors.protocol.RdmaConnectionProtocol.Write;
import java.util.OptionalInt;
import java.util.SplittableRandom;
import java.util.function.LongSupplier;
import org.apache.pekko.actor.typed.ActorRef;
import org.jspecify.annotations.Nullable;

/**
 * The requests of an RDMA client. Each connection begins with a write of zeros into a region of the
 * server's memory. For the thread of the sender.
 */
final class RdmaPeer {
  private static final int MAX_MESSAGE_BYTES = 1024;

  private final RoundContexts round;
  private final SoakContext<Command> client;
  private final BufferPool local;
  private @Nullable ActorRef<Command> connection;
  private RdmaModel model = new RdmaModel();
  private long region;

  /**
   * Creates the requests of a client.
   *
   * @param local buffers of the client
   */
  RdmaPeer(RoundContexts round, SoakContext<Command> client, BufferPool local) {
    this.round = round;
    this.client = client;
    this.local = local;
  }

  /**
   * Sends a request.
   *
   * @param remote memory of the server
   * @param regions returns the offset of another region
   * @return false if no request can be sent now
   */
  boolean send(SplittableRandom random, BufferPool remote, LongSupplier regions) {
    ActorRef<Command> to = client.require();
    if (to == null) {
      return false;
    }
    if (!to.equals(connection)) {
      connection = to;
      model = new RdmaModel();
    }
    int drawn = model.isClear() ? random.nextInt(6) : -1;
    if (drawn == 0) {
      return message(to, random);
    }
    Pair pair = SoakBuffers.lease(local, remote);
    if (pair == null) {
      return false;
    }
    Buffer here = pair.src();
    Buffer there = pair.dst();
    switch (drawn) {
      case 1 -> write(to, here, there, OptionalInt.empty());
      case 2 -> write(to, here, there, immediate(model.nextMessage()));
      case 3 -> read(to, here, there);
      case 4 -> swapOrAdd(to, here, there);
      case 5 -> add(to, here, there);
      default -> {
        return clear(to, pair, regions);
      }
    }
    return true;
  }

  private static OptionalInt immediate(int number) {
    return OptionalInt.of(RdmaRegion.immediate(number));
  }

  /** Makes a request. */
  private interface Request {
    Command of(long tag, ActorRef<Reply> replyTo);
  }

  private void tell(
      ActorRef<Command> to, Buffer src, @Nullable Buffer dst, Ledger.Check check, Request request) {
    long tag = round.ledger().enter(Kind.RDMA, src, dst, check);
    to.tell(request.of(tag, round.answers(Kind.RDMA)));
  }

  /** Returns false while the answer to the write of zeros is missing. */
  private boolean clear(ActorRef<Command> to, Pair pair, LongSupplier regions) {
    if (!model.beginsToClear()) {
      pair.release();
      return false;
    }
    region = regions.getAsLong();
    RdmaRegion.fill(pair.src(), 0, RdmaRegion.BYTES);
    pair.dst().aim(region, RdmaRegion.BYTES);
    tell(
        to,
        pair.src(),
        pair.dst(),
        model::cleared,
        (tag, me) -> new Write(pair.src(), pair.dst(), tag, me));
    return true;
  }

  private boolean message(ActorRef<Command> to, SplittableRandom random) {
    Buffer here = SoakBuffers.lease(local);
    if (here == null) {
      return false;
    }
    int number = model.nextMessage();
    int words = 1 + random.nextInt(MAX_MESSAGE_BYTES / Long.BYTES);
    RdmaRegion.fill(here, number, words * Long.BYTES);
    tell(to, here, null, answer -> true, (tag, me) -> new Send(here, immediate(number), tag, me));
    return true;
  }

  private void write(ActorRef<Command> to, Buffer here, Buffer there, OptionalInt immediate) {
    RdmaRegion.fill(here, model.nextWrite(), RdmaRegion.WRITTEN_BYTES);
    there.aim(region + RdmaRegion.WRITTEN, RdmaRegion.WRITTEN_BYTES);
    tell(to, here, there, model::written, (tag, me) -> new Write(here, there, immediate, tag, me));
  }

  private void read(ActorRef<Command> to, Buffer here, Buffer there) {
    there.aim(region + RdmaRegion.WRITTEN, RdmaRegion.WRITTEN_BYTES);
    tell(to, there, here, model.reading(), (tag, me) -> new Read(there, here, tag, me));
  }

  private void add(ActorRef<Command> to, Buffer here, Buffer there) {
    there.aim(region + RdmaRegion.ADDED, Long.BYTES);
    tell(to, there, here, model.adding(), (tag, me) -> new FetchAndAdd(there, here, 1, tag, me));
  }

  /** One exchange at a time, so that each finds the number of the one before. */
  private void swapOrAdd(ActorRef<Command> to, Buffer here, Buffer there) {
    if (!model.beginsToSwap()) {
      add(to, here, there);
      return;
    }
    long swaps = model.swaps();
    there.aim(region + RdmaRegion.SWAPPED, Long.BYTES);
    tell(
        to,
        there,
        here,
        model::swapped,
        (tag, me) -> new CompareAndSwap(there, here, swaps, swaps + 1, tag, me));
  }
}

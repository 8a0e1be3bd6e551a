package io.dpuactors.benchmarks.soak;

import io.dpuactors.benchmarks.soak.SoakBuffers.Pair;
import io.dpuactors.bridge.BufferPool;
import io.dpuactors.bridge.TaskLibrary;
import io.dpuactors.protocol.LocalMessage;
import io.dpuactors.protocol.PoolOptions;
import io.dpuactors.protocol.ShaProtocol.Algorithm;
import io.dpuactors.protocol.ShaProtocol.CloseSession;
import io.dpuactors.protocol.ShaProtocol.Finish;
import io.dpuactors.protocol.ShaProtocol.OpenSession;
import io.dpuactors.protocol.ShaProtocol.Session;
import io.dpuactors.protocol.ShaProtocol.SessionOpened;
import io.dpuactors.protocol.ShaProtocol.SessionReply;
import io.dpuactors.protocol.ShaProtocol.Update;
import io.dpuactors.protocol.TaskProtocol.ObjectDestroyed;
import io.dpuactors.protocol.TaskReply;
import io.dpuactors.protocol.TaskReply.Completed;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.util.SplittableRandom;
import org.apache.pekko.actor.typed.ActorRef;

/**
 * Sessions of a SHA context, one at a time: some parts, and their digest. The sender waits for each
 * answer. Some sessions are closed without a digest.
 */
final class SessionWorkload implements Workload {
  private static final int BUFFERS = 8;
  private static final int MAX_PARTS = 4;

  /** One of this number of sessions is closed without a digest. */
  private static final int CLOSED = 8;

  private final RoundContexts round;
  private final SoakContext<LocalMessage> context;
  private final BufferPool pool;

  private SessionWorkload(RoundContexts round, SoakContext<LocalMessage> context, BufferPool pool) {
    this.round = round;
    this.context = context;
    this.pool = pool;
  }

  static SessionWorkload open(RoundContexts round) {
    BufferPool pool = round.pool(0, PoolOptions.of(BUFFERS, SoakBuffers.CAPACITY));
    return new SessionWorkload(round, round.addTasks("sha-session", TaskLibrary.SHA), pool);
  }

  @Override
  public boolean send(SplittableRandom random) {
    ActorRef<LocalMessage> to = context.require();
    Pair pair = to == null ? null : SoakBuffers.lease(pool, pool);
    if (to == null || pair == null) {
      return false;
    }
    SessionReply reply = round.system().ask(to, me -> new OpenSession(Algorithm.SHA256, me));
    if (reply instanceof SessionOpened opened) {
      new Hashing(to, opened.session(), pair).run(random);
      return true;
    }
    pair.release();
    return false;
  }

  /** Makes a request for a part. */
  private interface Part {
    LocalMessage of(long tag, ActorRef<TaskReply> replyTo);
  }

  /** One session. */
  private final class Hashing {
    private final MessageDigest digest = TaskRecipe.sha256();
    private final ActorRef<LocalMessage> to;
    private final Session session;
    private final Pair pair;
    private boolean isReturned = true;

    Hashing(ActorRef<LocalMessage> to, Session session, Pair pair) {
      this.to = to;
      this.session = session;
      this.pair = pair;
    }

    void run(SplittableRandom random) {
      boolean continues = true;
      for (int left = 1 + random.nextInt(MAX_PARTS); left > 0 && continues; left--) {
        continues = update(random);
      }
      if (!continues || random.nextInt(CLOSED) == 0 || !finish(random)) {
        round.system().<LocalMessage, ObjectDestroyed>ask(to, me -> new CloseSession(session, me));
      }
      if (isReturned) {
        pair.release();
      }
    }

    private boolean update(SplittableRandom random) {
      fill(random);
      return hash(
          (tag, me) -> new Update(session, pair.src(), pair.dst(), tag, me), answer -> true);
    }

    private boolean finish(SplittableRandom random) {
      fill(random);
      ByteBuffer expected = ByteBuffer.wrap(digest.digest());
      return hash(
          (tag, me) -> new Finish(session, pair.src(), pair.dst(), tag, me),
          answer ->
              !(answer.reply() instanceof Completed done)
                  || expected.equals(SoakBuffers.content(done.dst())));
    }

    private void fill(SplittableRandom random) {
      SoakBuffers.fill(pair.src(), random);
      digest.update(SoakBuffers.content(pair.src()));
    }

    /** Sends a part. Returns whether the device has hashed it. */
    private boolean hash(Part part, Ledger.Check check) {
      long tag = round.ledger().enterKept(Kind.SHA_SESSION, pair.src(), pair.dst(), check);
      TaskReply reply = round.system().ask(to, me -> part.of(tag, me));
      Answer answer = Answer.of(reply);
      isReturned = answer.isReturned();
      round.ledger().answered(Kind.SHA_SESSION, answer);
      return answer.isCompleted();
    }
  }
}

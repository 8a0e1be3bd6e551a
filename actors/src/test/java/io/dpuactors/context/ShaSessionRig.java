package io.dpuactors.context;

import static io.dpuactors.testing.RunningSystem.buffer;
import static io.dpuactors.testing.RunningSystem.releaseBuffers;
import static org.assertj.core.api.Assertions.assertThat;

import io.dpuactors.bridge.Buffer;
import io.dpuactors.bridge.BufferPool;
import io.dpuactors.bridge.Census;
import io.dpuactors.protocol.ShaProtocol;
import io.dpuactors.protocol.ShaProtocol.Algorithm;
import io.dpuactors.protocol.ShaProtocol.CloseSession;
import io.dpuactors.protocol.ShaProtocol.Finish;
import io.dpuactors.protocol.ShaProtocol.Hash;
import io.dpuactors.protocol.ShaProtocol.OpenSession;
import io.dpuactors.protocol.ShaProtocol.Session;
import io.dpuactors.protocol.ShaProtocol.SessionOpened;
import io.dpuactors.protocol.ShaProtocol.SessionReply;
import io.dpuactors.protocol.ShaProtocol.Update;
import io.dpuactors.protocol.TaskOptions;
import io.dpuactors.protocol.TaskProtocol.ObjectDestroyed;
import io.dpuactors.protocol.TaskReply;
import io.dpuactors.protocol.TaskReply.Completed;
import io.dpuactors.protocol.TaskReply.Failed;
import io.dpuactors.testing.RunningSystem;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.Optional;
import java.util.Random;
import org.apache.pekko.actor.testkit.typed.javadsl.TestProbe;
import org.apache.pekko.actor.typed.ActorRef;

/** A SHA context with memory, and its sessions; its engine has an empty census at the end. */
final class ShaSessionRig implements AutoCloseable {
  final RunningSystem system = RunningSystem.create("dpu.sha.drain-deadline = 1m");
  final TestProbe<SessionReply> sessions = system.kit.createTestProbe();
  final TestProbe<TaskReply> replies = system.kit.createTestProbe();
  final ActorRef<ShaProtocol.Command> sha;
  private final TestProbe<ObjectDestroyed> closed = system.kit.createTestProbe();
  private final BufferPool pool = system.pool(12, 4096);

  ShaSessionRig(TaskOptions options) {
    sha = system.openedSha("sha", options);
  }

  static byte[] random(int bytes) {
    byte[] content = new byte[bytes];
    new Random(bytes).nextBytes(content);
    return content;
  }

  /** Returns the digest of the JDK. */
  static byte[] sha256(byte[] message) throws NoSuchAlgorithmException {
    return MessageDigest.getInstance("SHA-256").digest(message);
  }

  Session open(Algorithm algorithm) {
    sha.tell(new OpenSession(algorithm, sessions.getRef()));
    return sessions.expectMessageClass(SessionOpened.class).session();
  }

  /** Opens a session that ends with its owner. */
  Session open(Algorithm algorithm, ActorRef<?> owner) {
    sha.tell(new OpenSession(algorithm, Optional.of(owner), sessions.getRef()));
    return sessions.expectMessageClass(SessionOpened.class).session();
  }

  void close(Session session) {
    sha.tell(new CloseSession(session, closed.getRef()));
    assertThat(closed.receiveMessage().failure()).isEmpty();
  }

  /** Sends a part, whose answer {@link #replies} receives. */
  void send(Session session, byte[] part, Buffer digest, boolean isLast) {
    Buffer src = buffer(pool, part);
    sha.tell(
        isLast
            ? new Finish(session, src, digest, 1, replies.getRef())
            : new Update(session, src, digest, 1, replies.getRef()));
  }

  /** Hashes a part that is not the last. */
  void update(Session session, byte[] part, Buffer digest) {
    send(session, part, digest, false);
    Completed done = replies.expectMessageClass(Completed.class);
    assertThat(done.dst().length()).isZero();
    done.src().release();
  }

  /** Hashes the last part. Returns the digest, and releases its buffer. */
  byte[] finish(Session session, byte[] part, Buffer digest) {
    send(session, part, digest, true);
    Completed done = replies.expectMessageClass(Completed.class);
    byte[] content = new byte[done.dst().length()];
    done.dst().bytes().get(0, content);
    releaseBuffers(done);
    return content;
  }

  /** Returns the digest of a message whose parts but the last have this size. */
  byte[] digest(Session session, byte[] message, int part) {
    Buffer digest = lease();
    int from = 0;
    for (; message.length - from > part; from += part) {
      update(session, Arrays.copyOfRange(message, from, from + part), digest);
    }
    return finish(session, Arrays.copyOfRange(message, from, message.length), digest);
  }

  /** Receives the failure of the part that was sent last. */
  Failed failed() {
    return replies.expectMessageClass(Failed.class);
  }

  /** Sends hashes without a session. */
  TestProbe<TaskReply> hash(int count) {
    BufferPool buffers = system.pool(2 * count, 64);
    TestProbe<TaskReply> probe = system.kit.createTestProbe();
    for (int i = 0; i < count; i++) {
      Buffer src = buffer(buffers, new byte[10]);
      sha.tell(new Hash(Algorithm.SHA1, src, buffer(buffers), i, probe.getRef()));
    }
    return probe;
  }

  Buffer lease() {
    return buffer(pool);
  }

  /** Returns the number of open sessions. */
  int handles() {
    return system.open(Census.Resource.HANDLE);
  }

  @Override
  public void close() {
    assertThat(system.stopEngine().census()).isEqualTo("empty");
    system.close();
  }
}

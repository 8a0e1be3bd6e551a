package io.dpuactors.streams;

import io.dpuactors.bridge.Buffer;
import io.dpuactors.bridge.DocaException;
import io.dpuactors.engine.HeapTasks;
import io.dpuactors.protocol.ShaProtocol;
import io.dpuactors.protocol.ShaProtocol.Algorithm;
import io.dpuactors.protocol.ShaProtocol.CloseSession;
import io.dpuactors.protocol.ShaProtocol.Finish;
import io.dpuactors.protocol.ShaProtocol.Hash;
import io.dpuactors.protocol.ShaProtocol.OpenSession;
import io.dpuactors.protocol.ShaProtocol.Session;
import io.dpuactors.protocol.ShaProtocol.SessionOpened;
import io.dpuactors.protocol.ShaProtocol.SessionRefused;
import io.dpuactors.protocol.ShaProtocol.SessionReply;
import io.dpuactors.protocol.ShaProtocol.Update;
import io.dpuactors.protocol.TaskReply;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.apache.pekko.Done;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.util.ByteString;
import org.jspecify.annotations.Nullable;

/**
 * The digest of one message in parts, by a session of the context. A message of one part needs no
 * session. One part at a time: the only pair of buffers is that of all parts.
 */
final class ShaDigest {
  /** A part of the message: a full one, or the last one with any size. */
  record Part(ByteString bytes, boolean isLast) {}

  /** Cuts elements into parts. One thread at a time. */
  static final class Parts {
    private final int partBytes;
    private ByteString rest = ByteString.emptyByteString();

    Parts(int partBytes) {
      this.partBytes = partBytes;
    }

    /** Returns the full parts that cannot be the last. */
    List<Part> add(ByteString bytes) {
      List<Part> parts = new ArrayList<>();
      rest = rest.concat(bytes);
      while (rest.size() > partBytes) {
        parts.add(new Part(rest.take(partBytes), false));
        rest = rest.drop(partBytes);
      }
      return parts;
    }

    List<Part> end() {
      return List.of(new Part(rest, true));
    }
  }

  private final Place<ShaProtocol.Command> place;
  private final Algorithm algorithm;
  private final CompletionStage<HeapTasks<ShaProtocol.Command>> tasks;
  private CompletionStage<ByteString> running =
      CompletableFuture.completedStage(ByteString.emptyByteString());
  private @Nullable ObjectOwner owner;
  private @Nullable Session session;
  private boolean isLast;

  private ShaDigest(Place<ShaProtocol.Command> place, Algorithm algorithm) {
    this.place = place;
    this.algorithm = algorithm;
    tasks =
        place.open(this::request, partBytes(algorithm, place.options()), algorithm.digestBytes());
  }

  /** Opens the buffers; {@link #close} closes them. */
  static ShaDigest open(Place<ShaProtocol.Command> place, Algorithm algorithm) {
    return new ShaDigest(place, algorithm);
  }

  /** Returns the size of a full part. */
  static int partBytes(Algorithm algorithm, StreamOptions options) {
    int block = algorithm.blockBytes();
    return Math.max(block, options.maxElementBytes() / block * block);
  }

  private ShaProtocol.Command request(Buffer src, Buffer dst, ActorRef<TaskReply> replyTo) {
    Session open = session;
    if (open == null) {
      return new Hash(algorithm, src, dst, replyTo);
    }
    return isLast ? new Finish(open, src, dst, 0, replyTo) : new Update(open, src, dst, 0, replyTo);
  }

  /** Hashes a part. The result of the last part is the digest. */
  CompletionStage<ByteString> add(Part part) {
    isLast = part.isLast();
    if (part.bytes().isEmpty()) {
      return CompletableFuture.completedStage(digestOfNothing());
    }
    CompletionStage<ByteString> result =
        tasks // first: without buffers, a session would stay open
            .thenCompose(open -> opened(part).thenCompose(done -> open.run(part.bytes())))
            .thenApply(
                digest -> {
                  session = part.isLast() ? null : session; // Finish has ended it
                  return digest;
                });
    running = result;
    return result;
  }

  private CompletionStage<Done> opened(Part part) {
    if (session != null || part.isLast()) {
      return CompletableFuture.completedStage(Done.getInstance());
    }
    ObjectOwner ends = ObjectOwner.start(place.system());
    owner = ends;
    return place
        .<SessionReply>ask(replyTo -> new OpenSession(algorithm, ends.asOwner(), replyTo))
        .thenApply(
            reply -> {
              if (reply instanceof SessionRefused refused) {
                throw new DocaException(refused.error());
              }
              session = ((SessionOpened) reply).session();
              return Done.getInstance();
            });
  }

  /** Only an empty message has an empty part. A device accepts none. */
  private ByteString digestOfNothing() {
    try {
      return ByteString.fromArrayUnsafe(
          MessageDigest.getInstance(algorithm.standardName()).digest());
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Waits for the running part, closes the buffers, and ends the session in any case. */
  CompletionStage<Done> close() {
    return running
        .handle((bytes, failure) -> Done.getInstance())
        .thenCompose(done -> Tasks.then(tasks.thenCompose(HeapTasks::close), this::closeSession))
        .whenComplete((done, failure) -> endOwner());
  }

  /** Ends a session that the context has opened too late for this stream. */
  private void endOwner() {
    ObjectOwner left = owner;
    if (left != null) {
      left.end();
    }
  }

  private CompletionStage<Done> closeSession() {
    Session open = session;
    return open == null
        ? CompletableFuture.completedStage(Done.getInstance())
        : place.destroy(replyTo -> new CloseSession(open, replyTo));
  }
}

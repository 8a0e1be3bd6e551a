package io.dpuactors.simulation;

import io.dpuactors.bridge.TaskBuffers;
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
import io.dpuactors.protocol.TaskReply.Ownership;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.Optional;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.PostStop;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.jspecify.annotations.Nullable;

/**
 * A client that hashes a message in parts. The client compares the digest with the JDK's, closes
 * the session before the last part, or ends with an open session that it owns.
 */
final class HashInParts {
  private static final int MAX_PARTS = 4;

  private final Run run;
  private final ActorContext<Object> context;
  private final TaskBuffers.Pair buffers;
  private final ActorRef<Object> tasks;
  private final Algorithm algorithm;
  private final MessageDigest digest;
  private int parts;
  private @Nullable Session session;

  /** False while a request has the buffers, and after their release. */
  private boolean hasBuffers = true;

  private HashInParts(
      Run run,
      ActorContext<Object> context,
      TaskBuffers.Pair buffers,
      ActorRef<Object> tasks,
      Algorithm algorithm) {
    this.run = run;
    this.context = context;
    this.buffers = buffers;
    this.tasks = tasks;
    this.algorithm = algorithm;
    this.digest = ShaModel.digest(algorithm);
    this.parts = run.draw(1, MAX_PARTS);
  }

  /** Returns the behavior of a client, which releases the buffers, also when its parent stops. */
  static Behavior<Object> create(Run run, TaskBuffers.Pair buffers, ActorRef<Object> tasks) {
    return Behaviors.setup(
        context -> {
          Algorithm algorithm = run.oneOf(Algorithm.values());
          tasks.tell(
              new OpenSession(
                  algorithm, Optional.of(context.getSelf()), context.getSelf().narrow()));
          return new HashInParts(run, context, buffers, tasks, algorithm).behavior();
        });
  }

  private Behavior<Object> behavior() {
    return Behaviors.receive(Object.class)
        .onMessage(SessionReply.class, this::onSession)
        .onMessage(TaskReply.class, this::onReply)
        .onMessage(ObjectDestroyed.class, reply -> Behaviors.stopped())
        .onSignal(PostStop.class, stop -> end())
        .build();
  }

  private Behavior<Object> onSession(SessionReply reply) {
    if (reply instanceof SessionOpened opened) {
      session = opened.session();
      return send(opened.session());
    }
    run.reached("session refused");
    return end();
  }

  private Behavior<Object> send(Session open) {
    byte[] part = new byte[algorithm.blockBytes() * run.draw(1, 2)];
    run.fill(part);
    digest.update(part);
    buffers.src().bytes().clear().put(part);
    buffers.src().length(part.length);
    ActorRef<TaskReply> self = context.getSelf().narrow();
    hasBuffers = false;
    boolean isLast = parts-- == 0;
    tasks.tell(
        isLast
            ? new Finish(open, buffers.src(), buffers.dst(), parts, self)
            : new Update(open, buffers.src(), buffers.dst(), parts, self));
    return Behaviors.same();
  }

  private Behavior<Object> onReply(TaskReply reply) {
    Session open = session;
    boolean isRetained = reply.ownership() != Ownership.RETURNED;
    hasBuffers = !isRetained;
    if (!(reply instanceof Completed) || open == null) {
      run.reached(isRetained ? "part retained" : "part failed");
      return isRetained ? Behaviors.stopped() : end();
    }
    if (parts < 0) {
      boolean isRight = Arrays.equals(TaskModel.content(reply.dst()), digest.digest());
      run.check(isRight || run.faultCount("corrupted") > 0, "wrong digest of parts");
      run.reached("hash in parts");
      return end();
    }
    if (run.chance(10)) {
      run.reached("session closed");
      tasks.tell(new CloseSession(open, context.getSelf().narrow()));
      release();
      return Behaviors.same();
    }
    return run.chance(10) ? end() : send(open);
  }

  private Behavior<Object> end() {
    release();
    return Behaviors.stopped();
  }

  private void release() {
    if (hasBuffers) {
      hasBuffers = false;
      buffers.release();
    }
  }
}

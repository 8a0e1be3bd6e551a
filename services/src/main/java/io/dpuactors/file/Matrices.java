package io.dpuactors.file;

import io.dpuactors.file.FileFailure.Kind;
import io.dpuactors.protocol.ErasureCodingProtocol.Command;
import io.dpuactors.protocol.ErasureCodingProtocol.CreateMatrix;
import io.dpuactors.protocol.ErasureCodingProtocol.Definition;
import io.dpuactors.protocol.ErasureCodingProtocol.DestroyMatrix;
import io.dpuactors.protocol.ErasureCodingProtocol.Matrix;
import io.dpuactors.protocol.ErasureCodingProtocol.MatrixCreated;
import io.dpuactors.protocol.ErasureCodingProtocol.MatrixRefused;
import io.dpuactors.protocol.ErasureCodingProtocol.MatrixReply;
import io.dpuactors.protocol.TaskProtocol;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.AskPattern;

/**
 * Creates matrices in the erasure coding context of a job. The matrices end with the job's actor.
 * Thread: the job's, which waits for the context.
 */
final class Matrices {
  /** Time to wait for a context that restarts. */
  private static final Duration LIMIT = Duration.ofSeconds(30);

  private final ActorRef<Command> context;
  private final ActorRef<?> owner;
  private final ActorSystem<?> system;

  private Matrices(ActorRef<Command> context, ActorRef<?> owner, ActorSystem<?> system) {
    this.context = context;
    this.owner = owner;
    this.system = system;
  }

  /**
   * Creates an object without matrices.
   *
   * @param owner the job's actor
   * @param context an erasure coding context of one engine
   */
  static Matrices of(ActorContext<?> owner, ActorRef<?> context) {
    return new Matrices(context.unsafeUpcast(), owner.getSelf(), owner.getSystem());
  }

  /** Creates a matrix. */
  Matrix create(Definition definition) throws FileException {
    MatrixReply reply = ask(definition);
    if (reply instanceof MatrixRefused refused) {
      throw new FileException(FileFailure.of(Kind.DEVICE, null, refused.error()));
    }
    return ((MatrixCreated) reply).matrix();
  }

  private MatrixReply ask(Definition definition) throws FileException {
    try {
      return AskPattern.<Command, MatrixReply>ask(
              context,
              replyTo -> new CreateMatrix(definition, Optional.of(owner), replyTo),
              LIMIT,
              system.scheduler())
          .toCompletableFuture()
          .get(2 * LIMIT.toSeconds(), TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw failed("interrupted", e);
    } catch (ExecutionException | TimeoutException e) {
      throw failed("the context did not answer", e);
    }
  }

  private static FileException failed(String why, Exception cause) {
    return new FileException(
        FileFailure.of(Kind.DEVICE, null, "cannot create a matrix: " + why, cause));
  }

  /** Destroys a matrix after the requests that use it. */
  void destroy(Matrix matrix) {
    context.tell(new DestroyMatrix(matrix, system.<TaskProtocol.ObjectDestroyed>ignoreRef()));
  }
}

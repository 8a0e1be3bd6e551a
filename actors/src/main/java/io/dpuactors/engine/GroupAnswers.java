package io.dpuactors.engine;

import io.dpuactors.bridge.DocaCode;
import io.dpuactors.bridge.DocaError;
import io.dpuactors.bridge.DocaException;
import io.dpuactors.protocol.EngineProtocol.Command;
import io.dpuactors.protocol.Request;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Consumer;
import java.util.function.Function;
import org.apache.pekko.Done;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.AskPattern;
import org.jspecify.annotations.Nullable;

/**
 * The answers of engines to one command of an {@link EngineGroup}. Refuses the commands that have
 * no answer when the group ends. The group's thread.
 */
final class GroupAnswers {
  private final ActorContext<Object> context;
  private final Duration limit;
  private final List<Request> unanswered = new ArrayList<>();

  /**
   * Creates an empty set of commands.
   *
   * @param context of the group
   */
  GroupAnswers(ActorContext<Object> context) {
    this.context = context;
    this.limit = DpuActors.answerLimit(context.getSystem());
  }

  /** Sends a message to an engine. The result fails if no answer arrives in time. */
  <R> CompletableFuture<R> ask(ActorRef<Command> engine, Function<ActorRef<R>, Command> message) {
    return AskPattern.<Command, R>ask(
            engine, message::apply, limit, context.getSystem().scheduler())
        .toCompletableFuture();
  }

  /** Runs an action, which answers a command, on the group's thread after all answers. */
  void after(Request command, Iterable<? extends CompletableFuture<?>> answers, Runnable action) {
    unanswered.add(command);
    List<CompletableFuture<?>> all = new ArrayList<>();
    answers.forEach(all::add);
    context.pipeToSelf(
        // Pekko's log of dead letters fails for a null, which is the result of allOf.
        CompletableFuture.allOf(all.toArray(CompletableFuture<?>[]::new))
            .handle((none, failure) -> Done.getInstance()),
        (done, failure) ->
            new EngineGroup.Step(
                () -> {
                  unanswered.remove(command);
                  action.run();
                }));
  }

  /** Refuses all unanswered commands, because the group ends. */
  void refuseAll() {
    unanswered.forEach(one -> refuse(one, DocaCode.SHUTDOWN, "the group has ended"));
    unanswered.clear();
  }

  /** Passes a completed answer to {@code success}, or its error to {@code failure}. */
  static <R> void settle(
      CompletableFuture<R> answer, Consumer<R> success, Consumer<DocaError> failure) {
    try {
      success.accept(answer.join());
    } catch (CompletionException e) {
      failure.accept(error(e.getCause()));
    }
  }

  /**
   * Returns the error of a request to several engines. An engine that lacks the kinds or has ended
   * is no error while another engine has succeeded.
   */
  static Optional<DocaError> failure(List<DocaError> errors, boolean allFailed) {
    return errors.stream()
        .filter(
            error ->
                allFailed
                    || (error.code() != DocaCode.NOT_SUPPORTED
                        && error.code() != DocaCode.SHUTDOWN))
        .findFirst();
  }

  /** Returns the error of an engine that gave no answer. */
  static DocaError error(@Nullable Throwable cause) {
    return cause instanceof DocaException failure
        ? failure.error()
        : DocaError.of("engine group", DocaCode.SHUTDOWN, "an engine gave no answer: " + cause);
  }

  /** Refuses a command. */
  static void refuse(Request request, DocaCode code, String why) {
    request.refuse(DocaError.of("engine group", code, why));
  }
}

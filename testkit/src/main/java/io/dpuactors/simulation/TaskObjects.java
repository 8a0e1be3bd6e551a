package io.dpuactors.simulation;

import io.dpuactors.protocol.TaskProtocol.ObjectDestroyed;
import org.apache.pekko.actor.typed.ActorRef;

/** The objects of a context that its requests use, such as a key: one command at a time. */
final class TaskObjects {
  private static final int MAX_COMMANDS = 40;

  private final TaskModel model;
  private final Run run;
  private final Answers answers;
  private boolean isPreparing;
  private boolean isForgotten;
  private int commands;

  TaskObjects(TaskModel model, Run run, Answers answers) {
    this.model = model;
    this.run = run;
    this.answers = answers;
  }

  /** Returns whether all objects exist. Creates the next one if not. */
  boolean arePrepared(ActorRef<Object> context, ActorRef<Object> client) {
    Object command = isPreparing ? null : model.create(run, client);
    if (command != null && commands++ < MAX_COMMANDS) {
      isPreparing = true;
      answers.expect("object", client);
      context.tell(command);
    }
    return !isPreparing && command == null;
  }

  /** Accepts the answer of a creation. Returns false if the object was refused. */
  boolean onReply(Object reply) {
    answers.answered("object");
    isPreparing = false;
    if (isForgotten || model.created(reply)) {
      isForgotten = false;
      return true;
    }
    return false;
  }

  /** Destroys an object, if the model has one that may end. */
  void destroy(ActorRef<Object> context, ActorRef<Object> client) {
    Object command = model.destroy(client);
    if (command != null) {
      answers.expect("destroy", client);
      context.tell(command);
    }
  }

  /**
   * Accepts the answer of a destruction.
   *
   * @param mayFail whether the context may have ended before
   */
  void onDestroyed(ObjectDestroyed reply, boolean mayFail) {
    answers.answered("destroy");
    run.check(mayFail || reply.failure().isEmpty(), "not destroyed: " + reply);
  }

  /** Removes the objects of a context that has ended, also the one that is being created. */
  void forget() {
    model.forget();
    isForgotten = isPreparing;
  }
}

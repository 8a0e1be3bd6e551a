package io.dpuactors.simulation;

import io.dpuactors.bridge.TaskLibrary;
import io.dpuactors.engine.EngineOptions;
import io.dpuactors.protocol.EngineProtocol;
import io.dpuactors.protocol.Stop;
import io.dpuactors.protocol.Stopped;
import io.dpuactors.simulation.Disturbances.Disturb;
import io.dpuactors.simulation.FailingBehavior.Moment;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.apache.pekko.actor.PoisonPill;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.DispatcherSelector;
import org.apache.pekko.actor.typed.Terminated;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Adapter;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.jspecify.annotations.Nullable;

/**
 * An engine or an engine group, and the clients of its contexts. Disturbs them and checks the
 * results.
 */
final class TaskProgram {
  /** Slots for the tasks of all contexts of any run. */
  static final int MAX_SLOTS = 768;

  /** The requests of the clients, and their targets. */
  enum Form {
    /** Single requests to an engine. */
    TASKS,
    /** Batches and single requests to an engine. */
    BATCHES,
    /** Single requests to an engine group. */
    GROUP,
    /** Single requests to an engine of a {@link MixedProgram}, which has other contexts too. */
    MIXED
  }

  private static final int MAX_CLIENTS = 5;

  /** Number of clients whose tasks leave room for those of other contexts. */
  private static final int MAX_MIXED = 2;

  /** States of the program, for the table of coverage. */
  static final List<String> STATES = List.of("opening", "idle", "busy", "stopping", "ended");

  private final Run run;
  private final ActorContext<Object> context;
  private final ActorRef<EngineProtocol.Command> engine;
  private final TaskEngine target;
  private final Answers answers;
  private final List<TaskClient> clients = new ArrayList<>();
  private final Form form;
  private final Disturbances disturbances;
  private final boolean isCalm;
  private final boolean isAlone;
  private boolean isStopping;
  private boolean hasEngineEnded;

  /**
   * Creates a program.
   *
   * @param libraries the first context is one of the first library, the others are of any of them
   * @param spawn spawns an engine or an engine group with these options
   */
  TaskProgram(
      List<TaskLibrary> libraries,
      Run run,
      ActorContext<Object> context,
      Disturbances disturbances,
      Function<EngineOptions, ActorRef<EngineProtocol.Command>> spawn,
      Form form) {
    this.run = run;
    this.form = form;
    this.context = context;
    this.answers = new Answers(run);
    this.disturbances = disturbances;
    this.isCalm = disturbances.isCalm();
    boolean isAimed = Aim.cell(run) != null;
    int count = isAimed ? 1 : run.draw(1, form == Form.MIXED ? MAX_MIXED : MAX_CLIENTS);
    this.isAlone = count == 1 && form != Form.MIXED;
    for (int i = 0; i < count; i++) {
      TaskModel model = TaskModel.of(libraries.get(i == 0 ? 0 : run.draw(0, libraries.size() - 1)));
      clients.add(new TaskClient(this, model, run, "tasks" + i));
    }
    int slots = clients.stream().mapToInt(TaskClient::slots).sum();
    this.engine =
        spawn.apply(engineOptions(run, isAimed ? MAX_SLOTS : run.oneOf(slots, MAX_SLOTS)));
    this.target = new TaskEngine(run, context, engine, isGroup());
    context.watch(engine);
    for (int i = 0; i < count; i++) {
      context.spawn(
          FailingBehavior.of(
              run, isCalm, Object.class, Moment.OF_ACTORS, clients.get(i).behavior()),
          "program" + i,
          DispatcherSelector.sameAsParent());
    }
    run.explanations().begin();
  }

  /**
   * Returns random options, with few slots: opens fail if ended contexts keep theirs. Requests wait
   * for room in a short ring.
   *
   * @param slots number of tasks that the bridge and the device may hold
   */
  static EngineOptions engineOptions(Run run, int slots) {
    int submission = run.oneOf(TaskPromises.SHORTEST_RING, 64);
    int completion = 2 * submission;
    while (completion - completion / 4 < slots) {
      completion *= 2;
    }
    return EngineOptions.defaults()
        .with("max-mailbox-runs", Aim.isAt(run, Cells.STOPPING) ? 1 : run.oneOf(1, 4, 64))
        .with("progress-budget", run.oneOf(1, 8, 256))
        .withRings(submission, completion);
  }

  Behavior<Object> behavior() {
    disturbances.schedule(context);
    run.watch(this::place);
    return Behaviors.receive(Object.class)
        .onMessage(Stopped.class, this::onStopped)
        .onMessage(Disturb.class, this::onDisturbance)
        .onMessage(Aim.Help.class, this::onHelp)
        .onMessage(Scenario.Finish.class, finish -> onFinish())
        .onSignal(Terminated.class, signal -> ended(signal.getRef()))
        .build();
  }

  ActorRef<EngineProtocol.Command> engine() {
    return engine;
  }

  boolean isGroup() {
    return form == Form.GROUP;
  }

  boolean sendsBatches() {
    return form == Form.BATCHES;
  }

  /** Returns whether nothing disturbs the run. */
  boolean isCalm() {
    return isCalm;
  }

  /** Returns whether the engine has one client only. */
  boolean isAlone() {
    return isAlone;
  }

  /** Returns whether clients may open contexts. */
  boolean isOpen() {
    return !isStopping && !hasEngineEnded;
  }

  private Behavior<Object> onStopped(Stopped stopped) {
    answers.answered("stop");
    run.note("stopped " + stopped.clean());
    run.check(!isCalm || stopped.clean(), "not clean: " + stopped);
    return Behaviors.same();
  }

  /** Returns the state of the first client's context. */
  String state() {
    return state(clients.get(0));
  }

  /** Returns the state of a client's context, for the table of coverage. */
  private String state(TaskClient client) {
    if (hasEngineEnded) {
      return "ended";
    }
    return isStopping ? "stopping" : client.state();
  }

  /** Returns the place of all clients; empty if their libraries or states differ. */
  private String place() {
    TaskClient first = clients.get(0);
    for (TaskClient other : clients) {
      if (other.library() != first.library() || !state(other).equals(state(first))) {
        return "";
      }
    }
    return place(first);
  }

  private String place(TaskClient client) {
    String program = form == Form.TASKS ? client.library().shortName() : run.scenario();
    return Coverage.place(program, state(client));
  }

  private TaskClient anyClient() {
    return clients.get(run.draw(0, clients.size() - 1));
  }

  /** Returns a random context; null: none. */
  @Nullable ActorRef<Object> target() {
    return anyClient().tasks();
  }

  /** Called after a disturbance. Some delay answers. */
  void disturbed(Disturb disturb) {
    if (disturb.what() != Disturbance.FAULTS) {
      clients.forEach(TaskClient::disturbed);
    }
  }

  private Behavior<Object> onDisturbance(Disturb disturb) {
    TaskClient client = anyClient();
    if (disturb.waits(run, state(client), context)) {
      return Behaviors.same();
    }
    run.disturbed(disturb, place(client));
    ActorRef<Object> tasks = client.tasks();
    switch (disturb.what()) {
      case STOP_CONTEXT -> client.stop();
      case BREAK_CONTEXT -> EnginePair.tell(tasks, Poison.CONTEXT);
      case KILL_CONTEXT -> {
        if (tasks != null) {
          Adapter.toClassic(tasks).tell(PoisonPill.getInstance(), null);
        }
      }
      case FAIL_START, FAIL_STOP, FAIL_RESTART, FAIL_SUBMIT ->
          EnginePair.tell(tasks, disturb.failing(run, Poison.CONTEXT));
      case STOP_SYSTEM -> context.getSystem().terminate();
      case STOP_ENGINE -> stopEngine();
      case BREAK_ENGINE -> target.fail();
      case KILL_ENGINE -> context.stop(engine);
      case KILL_HOST, FAIL_TURNS, FAIL_WAITS, JUMP_CLOCK, FAULTS -> run.disturbDevice(disturb);
    }
    disturbed(disturb);
    return Behaviors.same();
  }

  /** Opens the object of an aim, and does the disturbances of it. */
  Behavior<Object> onHelp(Aim.Help help) {
    target.help(help, clients.get(0));
    if (help.stops() && isOpen()) {
      onDisturbance(Aim.STOP);
    }
    help.next().forEach(this::onDisturbance);
    return Behaviors.same();
  }

  /** Called after a request of a client, for an aim that stops the engine then. */
  void requested(int unanswered) {
    if (unanswered > 0 && isAlone && isOpen() && Aim.stopsAtRequest(run, run.scenario())) {
      onDisturbance(Aim.STOP);
    }
  }

  /** The engine stops next: the clients open no contexts. */
  void stopping() {
    isStopping = true;
    clients.forEach(TaskClient::disturbed);
  }

  private void stopEngine() {
    stopping();
    engine.tell(new Stop(answers.<Stopped>expect("stop", context.getSelf())));
  }

  /** Accepts the end of an actor. */
  Behavior<Object> ended(ActorRef<?> actor) {
    hasEngineEnded |= actor.equals(engine);
    return Behaviors.same();
  }

  /** Checks the clients when nothing happens any more, if the engine runs. */
  void checkAtRest() {
    if (!hasEngineEnded) {
      clients.forEach(TaskClient::checkDone);
    }
  }

  /** Checks the results after the end of the engine. */
  void check() {
    answers.check();
    clients.forEach(TaskClient::check);
    run.checkFaulty("wrong outputs", clients.stream().mapToInt(TaskClient::wrong).sum());
  }

  /** Ends the engine if it runs, and checks the results when nothing happens any more. */
  private Behavior<Object> onFinish() {
    if (!hasEngineEnded && !isStopping) {
      checkAtRest();
      stopEngine();
      return Behaviors.same();
    }
    run.check(hasEngineEnded, "the engine did not end");
    check();
    return Behaviors.stopped();
  }
}

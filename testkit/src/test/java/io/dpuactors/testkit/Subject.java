package io.dpuactors.testkit;

import io.dpuactors.bridge.BufferPool;
import io.dpuactors.bridge.DocaCode;
import io.dpuactors.bridge.TaskLibrary;
import io.dpuactors.protocol.LocalMessage;
import io.dpuactors.protocol.TaskOptions;
import java.time.Duration;
import org.apache.pekko.actor.typed.ActorRef;

/** A context under test: one of an engine on the software DPU, or one with a script. */
interface Subject {
  /** Returns the actor. */
  ActorRef<LocalMessage> context();

  /** Returns a pool that the context can access. */
  BufferPool pool(int count, int bytes);

  /** Lets the device fail the next task. */
  void failNext();

  /** Lets the next two tasks wait for {@link #proceed}, so that a third one is refused. */
  void holdTwoAndRefuseThird();

  /** Lets the next task pass its deadline. */
  void expireNext();

  /** Lets the context restart with the next task; call {@link #restart} after that task. */
  void restartAtNext();

  /** Restarts the context if its device does not. */
  void restart();

  /** Completes one task that waits. */
  void proceed();

  /** The kinds of subjects. */
  enum Kind {
    REAL,
    SCRIPTED;

    Subject open(EngineTestKit dpu, TaskLibrary library, Duration deadline) {
      return this == REAL ? new Real(dpu, library, deadline) : new Scripted(dpu, library);
    }
  }

  /** A context of the engine: one task at a time, and one that waits. */
  final class Real implements Subject {
    private final EngineTestKit dpu;
    private final TaskLibrary library;
    private final ActorRef<LocalMessage> context;

    Real(EngineTestKit dpu, TaskLibrary library, Duration deadline) {
      this.dpu = dpu;
      this.library = library;
      TaskOptions options =
          TaskOptions.defaults().withWindow(1).withQueue(1).withDeadline(deadline);
      this.context = dpu.open(library, options);
    }

    @Override
    public ActorRef<LocalMessage> context() {
      return context;
    }

    @Override
    public BufferPool pool(int count, int bytes) {
      return dpu.pool(count, bytes);
    }

    @Override
    public void failNext() {
      if (library == TaskLibrary.DMA) {
        dpu.expectWarning("the context stopped by itself");
      }
      dpu.device().faults("*:fail:nth=1");
    }

    @Override
    public void holdTwoAndRefuseThird() {
      dpu.device().faults("*:delay=1s:nth=1");
    }

    @Override
    public void expireNext() { // long after the deadline: the test reads the pool in between
      dpu.device().faults("*:delay=3s:nth=1");
    }

    @Override
    public void restartAtNext() {
      dpu.expectWarning("the context stopped by itself");
      dpu.device().faults("*:lost:nth=1");
    }

    @Override
    public void restart() {}

    @Override
    public void proceed() {}
  }

  /** A context with a script. */
  final class Scripted implements Subject {
    private final ScriptedContext<LocalMessage> context;

    Scripted(EngineTestKit dpu, TaskLibrary library) {
      context = ScriptedContext.of(library, dpu.actors());
    }

    @Override
    public ActorRef<LocalMessage> context() {
      return context.ref();
    }

    @Override
    public BufferPool pool(int count, int bytes) {
      return HeapBuffers.pool(count, bytes);
    }

    @Override
    public void failNext() {
      context.next(Reaction.fail(DocaCode.IO_FAILED));
    }

    @Override
    public void holdTwoAndRefuseThird() {
      context.next(Reaction.hold(), Reaction.hold(), Reaction.busy());
    }

    @Override
    public void expireNext() {
      context.next(Reaction.expire());
    }

    @Override
    public void restartAtNext() {
      context.next(Reaction.hold());
    }

    @Override
    public void restart() {
      context.restart(DocaCode.IO_FAILED);
    }

    @Override
    public void proceed() {
      context.proceed();
    }
  }
}

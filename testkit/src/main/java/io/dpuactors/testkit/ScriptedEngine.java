package io.dpuactors.testkit;

import io.dpuactors.bridge.DocaCode;
import io.dpuactors.engine.DpuActors;
import io.dpuactors.protocol.EngineProtocol;
import io.dpuactors.protocol.Request;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.pekko.actor.testkit.typed.javadsl.ActorTestKit;
import org.apache.pekko.actor.testkit.typed.javadsl.TestProbe;
import org.apache.pekko.actor.typed.ActorRef;

/**
 * An engine without a device and without native libraries, for tests of code that receives an
 * engine: {@code HeapTasks}, buffers of tasks, and flows of streams. Its contexts are {@link
 * ScriptedContext}s, and its memory is in the Java heap.
 *
 * <pre>
 *   ScriptedContext&lt;CompressProtocol.Command&gt; compress = ScriptedContext.compress(kit);
 *   ScriptedEngine engine = ScriptedEngine.create(kit).withContext("compress", compress);
 *   ActorRef&lt;Command&gt; actor = kit.spawn(MyActor.create(engine.ref()));
 * </pre>
 *
 * <p>The engine opens contexts of tasks, pools and buffers, owns leases, and answers {@code
 * GetStatus} and {@code Stop}. It refuses servers, clients, RDMA, sync events and memory of others
 * with NOT_SUPPORTED. After its end, commands that open contexts get no answer. Thread: any.
 */
public final class ScriptedEngine {
  private final Map<String, ScriptedContext<?>> prepared = new ConcurrentHashMap<>();
  private final Script script = new Script();
  private final TestProbe<EngineProtocol.Command> observer;
  private final ActorRef<EngineProtocol.Command> actor;

  private ScriptedEngine(ActorTestKit kit) {
    DpuActors.get(kit.system()); // answers commands of memory that arrive after the engine's end
    observer = kit.createTestProbe();
    actor = kit.spawn(ScriptedEngineBehavior.create(kit, prepared, script, observer.getRef()));
  }

  /** Starts an engine. */
  public static ScriptedEngine create(ActorTestKit kit) {
    return new ScriptedEngine(kit);
  }

  /** Returns the actor of the engine. */
  public ActorRef<EngineProtocol.Command> ref() {
    return actor;
  }

  /**
   * Prepares the context of the next command that opens this name. The engine opens buffers for the
   * context at once. A context that is not prepared completes all its tasks.
   */
  public ScriptedEngine withContext(String name, ScriptedContext<?> context) {
    prepared.put(name, context);
    return this;
  }

  /** Lets the engine refuse the next command of a type, such as {@code OpenBuffers}. */
  public ScriptedEngine refuse(Class<? extends Request> type, DocaCode code) {
    script.add(type, Reaction.fail(code));
    return this;
  }

  /**
   * Waits for the next command and returns it, as {@link ScriptedContext#expect} does.
   *
   * @throws AssertionError if no command arrives in time, or one of another type
   */
  public <M extends EngineProtocol.Command> M expect(Class<M> type) {
    return observer.expectMessageClass(type);
  }
}

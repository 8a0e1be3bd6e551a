package io.dpuactors.testkit;

import io.dpuactors.bridge.DocaCode;
import io.dpuactors.bridge.TaskLibrary;
import io.dpuactors.engine.DpuActors;
import io.dpuactors.protocol.AesGcmProtocol;
import io.dpuactors.protocol.CompressProtocol;
import io.dpuactors.protocol.DeviceRequest;
import io.dpuactors.protocol.DmaProtocol;
import io.dpuactors.protocol.ErasureCodingProtocol;
import io.dpuactors.protocol.LocalMessage;
import io.dpuactors.protocol.Request;
import io.dpuactors.protocol.ShaProtocol;
import io.dpuactors.testkit.ScriptedBehavior.Proceed;
import io.dpuactors.testkit.ScriptedBehavior.Restart;
import java.time.Duration;
import org.apache.pekko.actor.testkit.typed.javadsl.ActorTestKit;
import org.apache.pekko.actor.testkit.typed.javadsl.TestProbe;
import org.apache.pekko.actor.typed.ActorRef;

/**
 * A context of tasks without an engine and a device. The context checks requests as a real context
 * does, and executes them by the JDK: deflate, LZ4, copies, digests, AES-GCM and erasure coding
 * have real results. A script delays, fails or refuses some of them.
 *
 * <pre>
 *   ScriptedContext&lt;CompressProtocol.Command&gt; compress = ScriptedContext.compress(kit);
 *   compress.next(Reaction.busy(), Reaction.fail(DocaCode.IO_FAILED)); // then it completes
 *   ActorRef&lt;Command&gt; actor = kit.spawn(MyActor.create(compress.ref(), HeapBuffers.pool(2, 4096)));
 * </pre>
 *
 * <p>The buffers come from {@link HeapBuffers}, or from an engine's pool without chains. The
 * context has all kinds of its library, no limits of a device and no deadlines. Thread: any.
 *
 * @param <C> messages of the context
 */
public final class ScriptedContext<C> {
  private final Script script = new Script();
  private final TestProbe<LocalMessage> observer;
  private final ActorRef<LocalMessage> actor;

  private ScriptedContext(TaskLibrary library, ActorTestKit kit) {
    DpuActors.get(kit.system()); // answers requests that arrive after the context's end
    observer = kit.createTestProbe();
    actor = kit.spawn(ScriptedBehavior.create(library, script, observer.getRef()));
  }

  /** Starts a context of any library. */
  public static ScriptedContext<LocalMessage> of(TaskLibrary library, ActorTestKit kit) {
    return new ScriptedContext<>(library, kit);
  }

  /** Starts a compress context. */
  public static ScriptedContext<CompressProtocol.Command> compress(ActorTestKit kit) {
    return new ScriptedContext<>(TaskLibrary.COMPRESS, kit);
  }

  /** Starts a DMA context. A failed copy does not restart it; {@link #restart} does. */
  public static ScriptedContext<DmaProtocol.Command> dma(ActorTestKit kit) {
    return new ScriptedContext<>(TaskLibrary.DMA, kit);
  }

  /** Starts a SHA context. */
  public static ScriptedContext<ShaProtocol.Command> sha(ActorTestKit kit) {
    return new ScriptedContext<>(TaskLibrary.SHA, kit);
  }

  /** Starts an AES-GCM context. */
  public static ScriptedContext<AesGcmProtocol.Command> aesGcm(ActorTestKit kit) {
    return new ScriptedContext<>(TaskLibrary.AES_GCM, kit);
  }

  /** Starts an erasure coding context. */
  public static ScriptedContext<ErasureCodingProtocol.Command> erasureCoding(ActorTestKit kit) {
    return new ScriptedContext<>(TaskLibrary.ERASURE_CODING, kit);
  }

  /** Returns the actor of the context. */
  public ActorRef<C> ref() {
    return actor.unsafeUpcast();
  }

  /**
   * Adds reactions to the next tasks and batches, one for each. After them the context completes
   * every request.
   */
  public ScriptedContext<C> next(Reaction... reactions) {
    return next(DeviceRequest.class, reactions);
  }

  /**
   * Adds reactions to the next requests of a type, such as {@code AesGcmProtocol.CreateKey}.
   *
   * @throws IllegalArgumentException for a reaction that only tasks have
   */
  public ScriptedContext<C> next(Class<? extends Request> type, Reaction... reactions) {
    for (Reaction reaction : reactions) {
      script.add(type, reaction);
    }
    return this;
  }

  /**
   * Completes one held request, in order of arrival, or returns the buffers of an expired one. If
   * none is held, this call concerns the next one.
   */
  public void proceed() {
    actor.tell(Proceed.INSTANCE);
  }

  /**
   * Restarts the context, as its supervisor does after a lost device: held requests fail with this
   * code, and objects such as keys end. The {@code ActorRef} stays.
   */
  public void restart(DocaCode code) {
    actor.tell(new Restart(code));
  }

  /**
   * Waits for the next message and returns it. Waits at most Pekko's {@code single-expect-default}.
   *
   * @throws AssertionError if no message arrives in time, or one of another type
   */
  public <M extends LocalMessage> M expect(Class<M> type) {
    return observer.expectMessageClass(type);
  }

  /** Checks that no further message has arrived. */
  public void expectNothing() {
    observer.expectNoMessage(Duration.ZERO);
  }
}

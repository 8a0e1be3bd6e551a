package io.dpuactors.apps.simulation;

import io.dpuactors.engine.EngineOptions;
import io.dpuactors.protocol.AesGcmProtocol;
import io.dpuactors.protocol.CompressProtocol;
import io.dpuactors.protocol.ContextReply;
import io.dpuactors.protocol.DmaProtocol;
import io.dpuactors.protocol.EngineProtocol;
import io.dpuactors.protocol.EngineProtocol.OpenAesGcm;
import io.dpuactors.protocol.EngineProtocol.OpenCompress;
import io.dpuactors.protocol.EngineProtocol.OpenDma;
import io.dpuactors.protocol.EngineProtocol.OpenSha;
import io.dpuactors.protocol.ShaProtocol;
import io.dpuactors.protocol.TaskOptions;
import io.dpuactors.simulation.SimulatedSystem;
import java.util.function.Function;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.SupervisorStrategy;

/**
 * The engines of a run with two sides, and the contexts of the host.
 *
 * @param dpu the engine of the servers
 * @param host the engine of the clients and the contexts
 */
record Devices(
    ActorRef<EngineProtocol.Command> dpu,
    ActorRef<EngineProtocol.Command> host,
    ActorRef<CompressProtocol.Command> compress,
    ActorRef<DmaProtocol.Command> dma,
    ActorRef<ShaProtocol.Command> sha,
    ActorRef<AesGcmProtocol.Command> aes) {
  /** Opens all with random options. Nothing disturbs the run yet. */
  static Devices open(SimulatedSystem system) {
    ActorRef<EngineProtocol.Command> dpu = engine(system, "dpu");
    ActorRef<EngineProtocol.Command> host = engine(system, "host");
    TaskOptions options = options(system);
    return new Devices(
        dpu,
        host,
        open(system, host, me -> new OpenCompress("compress", options, me.narrow())),
        open(system, host, me -> new OpenDma("dma", options, me.narrow())),
        open(system, host, me -> new OpenSha("sha", options, me.narrow())),
        open(system, host, me -> new OpenAesGcm("aes", options, me.narrow())));
  }

  /** Opens an engine with random budgets and the rings of the configuration. */
  static ActorRef<EngineProtocol.Command> engine(SimulatedSystem system, String name) {
    return system.engine(name, engineOptions(system));
  }

  /** Opens such an engine on another host. */
  static ActorRef<EngineProtocol.Command> engineOnOtherHost(SimulatedSystem system, String name) {
    return system.engineOnOtherHost(name, engineOptions(system));
  }

  private static EngineOptions engineOptions(SimulatedSystem system) {
    return EngineOptions.defaults()
        .with("max-mailbox-runs", system.oneOf(1, 4, 64))
        .with("progress-budget", system.oneOf(1, 8, 256));
  }

  private static TaskOptions options(SimulatedSystem system) {
    TaskOptions options =
        TaskOptions.defaults().withWindow(system.draw(1, 4)).withQueue(system.oneOf(0, 2, 8));
    return system.chance(50)
        ? options
        : options.withSupervision(
            system.chance(50) ? SupervisorStrategy.restart() : SupervisorStrategy.stop());
  }

  /** Opens a context and makes it a target of disturbances. */
  static <C> ActorRef<C> open(
      SimulatedSystem system,
      ActorRef<EngineProtocol.Command> engine,
      Function<ActorRef<Object>, EngineProtocol.Command> command) {
    Object reply = system.ask(engine, command);
    if (!(reply instanceof ContextReply.Opened<?> opened)) {
      throw new AssertionError("a context did not open: " + reply);
    }
    system.target(opened.context());
    return opened.context().unsafeUpcast().narrow();
  }
}

package io.dpuactors.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import io.dpuactors.bridge.TaskKind;
import io.dpuactors.protocol.BufferOptions;
import io.dpuactors.protocol.CompressProtocol;
import io.dpuactors.protocol.EngineProtocol;
import io.dpuactors.protocol.EngineProtocol.OpenCompress;
import io.dpuactors.protocol.MemoryProtocol.BuffersOpened;
import io.dpuactors.protocol.MemoryProtocol.OpenBuffers;
import io.dpuactors.testkit.HeapBuffers;
import java.util.List;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.Props;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.junit.jupiter.api.Test;

/** Tests which contexts a node opens on its engines. */
class FleetNodeTest extends FleetFixture {
  private static final Set<TaskKind> KINDS =
      Set.of(TaskKind.COMPRESS_DEFLATE, TaskKind.DECOMPRESS_DEFLATE);

  private final BlockingQueue<EngineProtocol.Command> commands = new LinkedBlockingQueue<>();
  private final BlockingQueue<FleetNodeEvent> events = new LinkedBlockingQueue<>();

  /** A context with both kinds would leave a device with one kind idle, or find no device. */
  @Test
  void aNodeOpensAContextAndBuffersPerKind() throws Exception {
    ActorSystem<FleetNode.Command> node =
        ActorSystem.create(guardian(), "dpu", FleetConfig.node(config(), 0, List.of()));
    systems.add(node);
    OpenCompress first = command(OpenCompress.class);
    OpenCompress second = command(OpenCompress.class);
    assertThat(List.of(first.options().kinds(), second.options().kinds()))
        .containsExactlyInAnyOrder(
            Set.of(TaskKind.COMPRESS_DEFLATE), Set.of(TaskKind.DECOMPRESS_DEFLATE));
    for (OpenCompress open : List.of(first, second)) {
      ActorRef<CompressProtocol.Command> context =
          node.systemActorOf(Behaviors.empty(), open.name(), Props.empty());
      open.replyTo().tell(new CompressProtocol.Opened(open.name(), context));
      OpenBuffers buffers = command(OpenBuffers.class);
      assertThat(buffers.context()).isEqualTo(context);
      assertThat(events).as("the node is not ready before it has all buffers").isEmpty();
      buffers
          .replyTo()
          .tell(new BuffersOpened(HeapBuffers.pairs(BufferOptions.of(1, 1024, 1024)), null));
    }
    ready(events);
  }

  private <T> T command(Class<T> type) throws InterruptedException {
    EngineProtocol.Command command = commands.poll(LIMIT_S, TimeUnit.SECONDS);
    assertThat(command).isInstanceOf(type);
    return type.cast(command);
  }

  private Behavior<FleetNode.Command> guardian() {
    return Behaviors.setup(
        context -> {
          ActorRef<EngineProtocol.Command> engines =
              context.spawn(
                  Behaviors.receiveMessage(
                      command -> {
                        commands.add(command);
                        return Behaviors.same();
                      }),
                  "engines");
          return FleetNode.create(
              new NodeDevices("library", List.of("one", "two"), KINDS),
              engines,
              List.of(),
              events::add);
        });
  }
}

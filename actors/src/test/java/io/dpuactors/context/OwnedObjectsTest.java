package io.dpuactors.context;

import static org.assertj.core.api.Assertions.assertThat;

import io.dpuactors.bridge.DocaCode;
import io.dpuactors.bridge.DocaError;
import io.dpuactors.bridge.SoftDpu;
import io.dpuactors.bridge.TaskHandle;
import io.dpuactors.bridge.TaskKind;
import io.dpuactors.bridge.internal.DocaContext;
import io.dpuactors.node.ContextNode;
import io.dpuactors.node.LaneSettings;
import io.dpuactors.node.TaskLane;
import io.dpuactors.protocol.DeviceRequest;
import io.dpuactors.testing.CleanLog;
import io.dpuactors.testing.FreshSoftDpu;
import io.dpuactors.testing.ManualEngine;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.apache.pekko.actor.testkit.typed.javadsl.TestInbox;
import org.apache.pekko.actor.typed.ActorRef;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Tests the ends of objects that tasks use, and of their owners. */
@ExtendWith({CleanLog.class, FreshSoftDpu.class})
class OwnedObjectsTest {
  private final List<ActorRef<?>> watched = new ArrayList<>();
  private final OwnedObjects objects = new OwnedObjects("test", watched::add);
  private final List<Optional<DocaError>> answers = new ArrayList<>();
  private final ActorRef<Object> owner = TestInbox.create().getRef();
  private ManualEngine engine;
  private ContextNode<TaskLane<DeviceRequest>> node;
  private DocaContext context;

  @BeforeEach
  void open() {
    FreshSoftDpu.DEVICE.execution(SoftDpu.Execution.INLINE);
    engine = ManualEngine.create(1);
    node = engine.open("context", new LaneSettings(4, 4, ManualEngine.SECOND));
    engine.settle();
    context = Objects.requireNonNull(node.running());
  }

  @AfterEach
  void close() {
    node.stop();
    engine.settle();
    engine.close();
  }

  private TaskHandle handle() {
    return context.handles().openSession(TaskKind.COMPRESS_DEFLATE);
  }

  @Test
  void theEndOfAnOwnerEndsItsObjectsAndNoOthers() {
    TaskHandle first = handle();
    TaskHandle second = handle();
    TaskHandle foreign = handle();
    objects.add(owner, first);
    objects.add(owner, second);
    objects.add(TestInbox.create().getRef(), foreign);
    assertThat(watched).contains(owner);
    objects.onOwnerEnded(context, owner);
    assertThat(List.of(first, second)).noneMatch(TaskHandle::isOpen);
    assertThat(foreign.isOpen()).isTrue();
  }

  /** A long-lived owner of many short-lived objects needs no memory for those that have ended. */
  @Test
  void aDestroyedObjectIsForgotten() {
    TaskHandle first = handle();
    TaskHandle second = handle();
    objects.add(owner, first);
    objects.add(owner, second);
    objects.destroy(context, first, answers::add);
    assertThat(objects.isEmpty()).isFalse();
    objects.destroy(context, second, answers::add);
    assertThat(objects.isEmpty()).isTrue();
    assertThat(answers).containsExactly(Optional.empty(), Optional.empty());
  }

  @Test
  void aSessionThatItsTaskHasEndedIsForgotten() {
    TaskHandle first = handle();
    TaskHandle second = handle();
    objects.add(owner, first);
    first.close(() -> context.handles().destroy(first));
    objects.add(owner, second);
    objects.destroy(context, second, answers::add);
    assertThat(objects.isEmpty()).isTrue();
    assertThat(answers).containsExactly(Optional.empty());
  }

  @Test
  void theObjectsOfAnEndedOwnerAreForgotten() {
    objects.add(owner, handle());
    objects.onOwnerEnded(context, owner);
    assertThat(objects.isEmpty()).isTrue();
  }

  @Test
  void anObjectInUseEndsAfterItsLastTask() {
    TaskHandle used = handle();
    assertThat(used.use()).isTrue();
    objects.add(owner, used);
    objects.onOwnerEnded(context, owner);
    assertThat(used.isOpen()).isFalse();
    objects.destroy(context, used, answers::add);
    assertNotFound();
    used.unuse();
    assertThat(handle().toString()).isNotEqualTo(used.toString());
  }

  @Test
  void theEndOfTheContextAnswersEachCommandOnce() {
    TaskHandle used = handle();
    assertThat(used.use()).isTrue();
    objects.add(owner, used);
    objects.destroy(context, used, answers::add);
    assertThat(answers).isEmpty();
    objects.close();
    assertThat(objects.isEmpty()).isTrue();
    assertThat(answers.get(0).orElseThrow().code()).isEqualTo(DocaCode.SHUTDOWN);
    used.unuse();
    assertThat(answers).hasSize(1);
  }

  @Test
  void withoutARunningContextThereIsNoObject() {
    objects.destroy(null, handle(), answers::add);
    assertNotFound();
  }

  private void assertNotFound() {
    assertThat(answers).hasSize(1);
    assertThat(answers.get(0).orElseThrow().code()).isEqualTo(DocaCode.NOT_FOUND);
  }
}

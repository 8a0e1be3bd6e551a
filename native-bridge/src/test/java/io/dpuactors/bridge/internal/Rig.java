package io.dpuactors.bridge.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.dpuactors.bridge.Buffer;
import io.dpuactors.bridge.BufferPool;
import io.dpuactors.bridge.DocaCode;
import io.dpuactors.bridge.DocaLibrary;
import io.dpuactors.bridge.LibraryChoice;
import io.dpuactors.bridge.SoftDpu;
import io.dpuactors.bridge.TaskKind;
import io.dpuactors.bridge.TaskLibrary;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;

/**
 * An engine on the calling thread with a device of the software DPU. {@link #close} destroys every
 * context in order, asserts that both censuses are empty, and restores the software DPU's settings.
 */
final class Rig implements AutoCloseable {
  static final DocaLibrary LIBRARY = DocaLibrary.load(LibraryChoice.SOFTDPU);
  static final SoftDpu SOFT_DPU = SoftDpu.of(LIBRARY);
  static final int BUDGET = 64;
  private static final long LIMIT_NS = TimeUnit.SECONDS.toNanos(20);
  private static final long NAP_NS = TimeUnit.MILLISECONDS.toNanos(5);

  /** A task's record, copied out of the ring. */
  @SuppressWarnings("ArrayRecordComponent") // no test compares answers
  record Answer(
      long userData,
      int context,
      RecordType type,
      TaskKind kind,
      int status,
      long produced,
      int checksum0,
      int checksum1,
      ContextState previous,
      ContextState next,
      int producer,
      byte[] immediate) {
    private static Answer of(CompletionRing r) {
      return new Answer(
          r.userData(),
          r.context(),
          r.type(),
          r.kind(),
          r.status(),
          r.produced(),
          r.checksum0(),
          r.checksum1(),
          r.type() == RecordType.CONTEXT_STATE ? r.previousState() : ContextState.IDLE,
          r.type() == RecordType.CONTEXT_STATE ? r.nextState() : ContextState.IDLE,
          r.producer(),
          r.immediate());
    }

    DocaCode code() {
      return DocaCode.of(status);
    }
  }

  /** A comch record that answers no task, copied out of the ring. */
  @SuppressWarnings("ArrayRecordComponent") // no test compares events
  record Event(
      RecordType type,
      long userData,
      int context,
      int status,
      int connection,
      int consumer,
      byte[] message) {
    private static Event of(CompletionRing r) {
      return new Event(
          r.type(),
          r.userData(),
          r.context(),
          r.status(),
          r.connection(),
          r.consumer(),
          r.type() == RecordType.MESSAGE ? bytes(r.message()) : new byte[0]);
    }

    private static byte[] bytes(ByteBuffer view) {
      byte[] bytes = new byte[view.remaining()];
      view.get(bytes);
      return bytes;
    }

    String text() {
      return new String(message, StandardCharsets.UTF_8);
    }
  }

  private static final Set<RecordType> EVENTS =
      EnumSet.of(
          RecordType.CONNECTED,
          RecordType.DISCONNECTED,
          RecordType.MESSAGE,
          RecordType.CONSUMER_NEW,
          RecordType.CONSUMER_EXPIRED);

  final ProgressEngine engine;
  final Device device;
  private final ArrayDeque<BufferPool> pools = new ArrayDeque<>();
  private final List<DocaContext> contexts = new ArrayList<>();
  private final Map<Long, Answer> answers = new HashMap<>();
  private final List<Answer> states = new ArrayList<>();
  private final List<Event> events = new ArrayList<>();
  private final List<Long> order = new ArrayList<>();
  private long nextTask = 1;

  Rig() {
    this(64, 256);
  }

  Rig(int submissionCapacity, int completionCapacity) {
    this(ProgressEngine.create(LIBRARY, submissionCapacity, completionCapacity));
  }

  Rig(ProgressEngine engine) {
    this.engine = engine;
    device =
        Device.openFirst(
            engine,
            d ->
                d.capabilities(TaskLibrary.COMPRESS).of(TaskKind.DECOMPRESS_LZ4_STREAM).supported(),
            "compression");
  }

  /** Creates and starts a compress context with {@code numTasks} tasks of each kind. */
  DocaContext compress(int numTasks, TaskKind... kinds) {
    return started(
        TaskFunctions.of(TaskLibrary.COMPRESS).create(engine, device, contexts.size()),
        numTasks,
        kinds);
  }

  /** Creates and starts a DMA context. */
  DocaContext dma(int numTasks) {
    return started(
        TaskFunctions.of(TaskLibrary.DMA).create(engine, device, contexts.size()),
        numTasks,
        TaskKind.DMA_MEMCPY);
  }

  private DocaContext started(DocaContext context, int numTasks, TaskKind... kinds) {
    add(context, numTasks, kinds);
    assertThat(context.start()).isEqualTo(DocaCode.SUCCESS);
    return context;
  }

  /** Configures a context; this rig destroys it. */
  DocaContext add(DocaContext context, int numTasks, TaskKind... kinds) {
    contexts.add(context);
    for (TaskKind kind : kinds) {
      context.configure(kind, numTasks);
    }
    return context;
  }

  BufferPool pool(int count, int bytes) {
    return add(RegisteredPool.create(engine, device, count, bytes));
  }

  /** Adds a pool; this rig closes it. */
  BufferPool add(BufferPool pool) {
    pools.push(pool);
    return pool;
  }

  static Buffer lease(BufferPool pool) {
    Buffer buffer = pool.lease();
    assertThat(buffer).isNotNull();
    return java.util.Objects.requireNonNull(buffer);
  }

  static Buffer lease(BufferPool pool, byte[] content) {
    Buffer buffer = lease(pool);
    buffer.bytes().put(content);
    buffer.length(content.length);
    return buffer;
  }

  /** Offers a task, for which the ring must have room, and returns its user data. */
  long offer(DocaContext context, TaskKind kind, Buffer src, Buffer dst, long argument) {
    long task = nextTask++;
    assertThat(engine.submissions().offer(task, context.handle(), kind, src, dst, argument))
        .isTrue();
    return task;
  }

  /** Offers a task and waits for its answer. */
  Answer run(DocaContext context, TaskKind kind, Buffer src, Buffer dst, long argument) {
    return await(offer(context, kind, src, dst, argument));
  }

  /** Offers a task with a method of the submission ring; the method receives the user data. */
  long offer(LongPredicate offer) {
    long task = nextTask++;
    assertThat(offer.test(task)).isTrue();
    return task;
  }

  Answer await(long task) {
    until(() -> answers.containsKey(task));
    return java.util.Objects.requireNonNull(answers.get(task));
  }

  @Nullable Answer answer(long task) {
    return answers.get(task);
  }

  /** Returns the user data of answered tasks in the order of their answers. */
  List<Long> order() {
    return order;
  }

  List<Answer> states() {
    return states;
  }

  /** Returns the comch records that answer no task, in their order. */
  List<Event> events() {
    return events;
  }

  /** Runs turns of the engine until the condition holds; fails after a time limit. */
  void until(BooleanSupplier condition) {
    bounded(
        condition,
        () -> {
          if (turn() == 0) {
            engine.await(NAP_NS, NAP_NS, 0, 0);
          }
        });
  }

  /** Enters the engine, without a drain, until {@code records} records wait. */
  void untilWaiting(int records) {
    bounded(() -> engine.completions().size() >= records, () -> engine.enter(BUDGET));
  }

  private void bounded(BooleanSupplier condition, Runnable step) {
    long deadline = System.nanoTime() + LIMIT_NS;
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime() - deadline)
          .as("nothing came, %s, %s", engine.census(), SOFT_DPU.census())
          .isNegative();
      step.run();
    }
  }

  /** Runs one turn and returns the number of drained records. */
  int turn() {
    engine.enter(BUDGET);
    return engine.completions().drain(this::take, Integer.MAX_VALUE);
  }

  private void take(CompletionRing record) {
    if (EVENTS.contains(record.type())) {
      events.add(Event.of(record));
    } else {
      take(Answer.of(record));
    }
  }

  private void take(Answer answer) {
    if (answer.type() == RecordType.CONTEXT_STATE) {
      states.add(answer);
      return;
    }
    order.add(answer.userData());
    assertThat(answers.put(answer.userData(), answer)).as("one answer per task").isNull();
  }

  /** Stops a context and destroys it once it is idle. */
  void end(DocaContext context) {
    if (context.state() != ContextState.IDLE) {
      context.stop();
      until(() -> context.state() == ContextState.IDLE && engine.completions().size() == 0);
    }
    context.destroy();
    contexts.remove(context);
  }

  static byte[] content(Buffer buffer) {
    byte[] bytes = new byte[buffer.length()];
    ByteBuffer view = buffer.bytes();
    view.get(0, bytes);
    return bytes;
  }

  @Override
  public void close() {
    endContexts();
    closePools();
    device.close();
    engine.close();
    assertThat(engine.census()).hasToString("empty");
    restoreSettings();
    assertSoftDpuEmpty();
  }

  /** Destroys every context in reverse order, because a context may depend on earlier ones. */
  void endContexts() {
    SOFT_DPU.clearFaults();
    SOFT_DPU.quirks("");
    SOFT_DPU.manualClock(false);
    while (!contexts.isEmpty()) {
      end(contexts.get(contexts.size() - 1));
    }
  }

  void closePools() {
    while (!pools.isEmpty()) {
      pools.pop().close();
    }
  }

  static void restoreSettings() {
    SOFT_DPU.manualClock(false);
    SOFT_DPU.nullDevice(false);
    SOFT_DPU.profile("full");
    SOFT_DPU.execution(SoftDpu.Execution.THREADS);
    SOFT_DPU.seed(1);
  }

  static void assertSoftDpuEmpty() {
    assertThat(SOFT_DPU.census()).allSatisfy((name, count) -> assertThat(count).as(name).isZero());
  }
}

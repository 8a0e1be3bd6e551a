package io.dpuactors.bridge.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.dpuactors.bridge.Buffer;
import io.dpuactors.bridge.BufferPool;
import io.dpuactors.bridge.Census;
import io.dpuactors.bridge.TaskKind;
import io.dpuactors.bridge.TaskLibrary;
import io.dpuactors.bridge.WrongThreadException;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Checks that only the engine's thread may use the engine's objects. */
class ThreadRuleTest {
  private final Rig rig = new Rig();
  private final BufferPool pool = rig.pool(2, 64);
  private final MemoryMap map = MemoryMap.allocate(rig.engine, rig.device, 4096);
  private final DocaContext context = rig.compress(1, TaskKind.COMPRESS_DEFLATE);
  private final Buffer src = Rig.lease(pool);
  private final Buffer dst = Rig.lease(pool);

  @AfterEach
  void end() {
    src.release();
    dst.release();
    map.close();
    rig.close();
  }

  private Map<String, OnThread.Action> owned() {
    ProgressEngine engine = rig.engine;
    Map<String, OnThread.Action> calls = new LinkedHashMap<>();
    calls.put("enter", () -> engine.enter(1));
    calls.put("await", () -> engine.await(0, 0, 0, 0));
    calls.put("counter", () -> engine.counter(Counter.ENTERS));
    calls.put("isClosed", engine::isClosed);
    calls.put("close", engine::close);
    calls.put("checkThread", () -> engine.checkThread("checkThread"));
    calls.put("free", () -> engine.submissions().free());
    calls.put(
        "offer",
        () ->
            engine
                .submissions()
                .offer(0, context.handle(), TaskKind.COMPRESS_DEFLATE, src, dst, 0));
    calls.put("size", () -> engine.completions().size());
    calls.put("drain", () -> engine.completions().drain(record -> {}, 1));
    calls.put("configure", () -> context.configure(TaskKind.COMPRESS_DEFLATE, 1));
    calls.put("start", context::start);
    calls.put("stop", context::stop);
    calls.put("drain context", context::drain);
    calls.put("inflight", context::inflight);
    calls.put("state", context::state);
    calls.put("destroy", context::destroy);
    calls.put(
        "Compress.create",
        () -> TaskFunctions.of(TaskLibrary.COMPRESS).create(engine, rig.device, 0));
    calls.put("Device.open", () -> Device.open(engine, rig.device.pciAddress()));
    calls.put("Device.openFirst", () -> Device.openFirst(engine, c -> true, "anything"));
    calls.put("Device.close", rig.device::close);
    calls.put("MemoryMap.allocate", () -> MemoryMap.allocate(engine, rig.device, 1));
    calls.put("slice", () -> map.slice(0, 1));
    calls.put("close map", map::close);
    calls.put("RegisteredPool.create", () -> RegisteredPool.create(engine, rig.device, 1, 1));
    calls.put("close pool", pool::close);
    calls.put("closeAfterLoss", pool::closeAfterLoss);
    return calls;
  }

  @Test
  void everyOwnedCallNamesBothThreads() {
    String owner = Thread.currentThread().getName();
    owned()
        .forEach(
            (name, call) ->
                assertThat(OnThread.run("intruder", call))
                    .as(name)
                    .isInstanceOf(WrongThreadException.class)
                    .hasMessageContaining("called on thread 'intruder'")
                    .hasMessageContaining("belongs to thread '" + owner + "'"));
    assertThat(context.state()).isEqualTo(ContextState.RUNNING);
  }

  @Test
  void leasesMoveFreely() {
    assertThat(
            OnThread.run(
                "holder",
                () -> {
                  src.bytes().put((byte) 1);
                  src.length(1);
                  src.release();
                  assertThat(Rig.lease(pool)).isSameAs(src);
                  assertThat(pool.available()).isZero();
                  rig.engine.wake();
                  assertThat(rig.engine.census().count(Census.Resource.LEASE)).isEqualTo(2);
                }))
        .isNull();
  }
}

package io.dpuactors.testing;

import static org.assertj.core.api.Assertions.assertThat;

import com.typesafe.config.ConfigFactory;
import io.dpuactors.bridge.Buffer;
import io.dpuactors.bridge.BufferPool;
import io.dpuactors.bridge.DocaError;
import io.dpuactors.bridge.Permission;
import io.dpuactors.bridge.TaskKind;
import io.dpuactors.bridge.TaskLibrary;
import io.dpuactors.bridge.TaskLimits;
import io.dpuactors.bridge.internal.Device;
import io.dpuactors.bridge.internal.DocaContext;
import io.dpuactors.bridge.internal.TaskFunctions;
import io.dpuactors.loop.EngineSettings;
import io.dpuactors.node.ContextNode;
import io.dpuactors.node.ContextOpener;
import io.dpuactors.node.ContextOwner;
import io.dpuactors.node.ContextTimes;
import io.dpuactors.node.EngineCore;
import io.dpuactors.node.LaneSettings;
import io.dpuactors.node.TaskLane;
import io.dpuactors.protocol.DeviceRequest;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/** An engine without a loop: the test runs its turns and sets the clock. */
public final class ManualEngine {
  /** one second in ns */
  public static final long SECOND = TimeUnit.SECONDS.toNanos(1);

  /** events of the contexts' owners, in order */
  public final List<String> events = new ArrayList<>();

  /** engine under test */
  public final EngineCore core;

  /** pool of small buffers */
  public final BufferPool pool;

  private long nowNs = 1_000_000;

  private ManualEngine(EngineSettings settings, int buffers) {
    core = EngineCore.open(FreshSoftDpu.LIBRARY, settings, () -> nowNs);
    pool = core.pools().open(device(), buffers, 4096, Set.of(Permission.LOCAL_READ_WRITE));
  }

  /** Creates an engine with room for many tasks. */
  public static ManualEngine create(int buffers) {
    return new ManualEngine(settings(), buffers);
  }

  /** Returns the settings of the tests' configuration. */
  public static EngineSettings settings() {
    return EngineSettings.from(
        ConfigFactory.load(
            ConfigFactory.parseResources("application-test.conf")
                .withFallback(ConfigFactory.defaultReference())));
  }

  /** Returns the first device that compresses. */
  public Device device() {
    return core.devices()
        .open(
            Optional.empty(),
            device -> device.capabilities(TaskLibrary.COMPRESS).any(),
            "compress");
  }

  /** Opens a compress context for deflate and inflate. */
  public ContextNode<TaskLane<DeviceRequest>> open(String name, LaneSettings lane) {
    return open(name, lane, this::opener);
  }

  /** Opens a context of tasks that the opener creates natively. */
  public ContextNode<TaskLane<DeviceRequest>> open(
      String name, LaneSettings lane, ContextOpener opener) {
    return core.openContext(
        name,
        TaskLane.forTasks(core, name, lane),
        new ContextTimes(5 * SECOND, 5 * SECOND, 5 * SECOND),
        opener,
        recorder(name),
        0);
  }

  /** Opens a compress context natively, for deflate and inflate. */
  public ContextOpener.Opened opener(EngineCore owner, long userData) {
    Device device = device();
    DocaContext context =
        TaskFunctions.of(TaskLibrary.COMPRESS).create(owner.progressEngine(), device, userData);
    Map<TaskKind, TaskLimits> kinds = new EnumMap<>(TaskKind.class);
    for (TaskKind kind : List.of(TaskKind.COMPRESS_DEFLATE, TaskKind.DECOMPRESS_DEFLATE)) {
      kinds.put(kind, device.capabilities(TaskLibrary.COMPRESS).of(kind));
      context.configure(kind, 8);
    }
    return new ContextOpener.Opened(context, kinds);
  }

  /** Runs one turn at the current time. */
  public int turn() {
    return core.turn(nowNs, 0);
  }

  /** Runs turns until three turns in a row have no work. */
  public void settle() {
    int quiet = 0;
    for (int i = 0; i < 100_000 && quiet < 3; i++) {
      quiet = turn() == 0 ? quiet + 1 : 0;
    }
    assertThat(quiet).as("the engine came to rest").isEqualTo(3);
  }

  /** Advances the clock. */
  public void advance(long ns) {
    nowNs += ns;
  }

  /** Returns a leased buffer with this content. */
  public Buffer buffer(byte... content) {
    Buffer buffer = pool.lease();
    assertThat(buffer).isNotNull();
    ByteBuffer view = buffer.bytes();
    view.clear().put(content);
    buffer.length(content.length);
    return buffer;
  }

  /**
   * Asserts that no resource is left, and closes those that a failed test has left: later tests
   * need a device without objects.
   */
  public void close() {
    boolean wasVacant = core.isVacant();
    if (!wasVacant) {
      endNodes();
    }
    assertThat(core.close()).as("left open").isNull();
    assertThat(wasVacant).as("all nodes had ended").isTrue();
  }

  private void endNodes() {
    core.closeNodes();
    for (int i = 0; i < 100; i++) {
      turn();
      advance(SECOND);
    }
  }

  /** Returns an owner of this name that records its notifications in {@link #events}. */
  public ContextOwner recorder(String name) {
    return new ContextOwner() {
      @Override
      public void running() {
        events.add(name + " running");
      }

      @Override
      public void failed(DocaError error) {
        events.add(name + " failed " + error.code());
      }

      @Override
      public void gone() {
        events.add(name + " gone");
      }
    };
  }
}

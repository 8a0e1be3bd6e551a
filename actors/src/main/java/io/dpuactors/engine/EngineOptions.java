package io.dpuactors.engine;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import java.time.Duration;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

/**
 * Settings of one engine. A setting that is absent here comes from {@code dpu.engine} of the
 * configuration; {@code reference.conf} describes each key. {@link Engine} checks all values when
 * the actor starts. Immutable; any thread.
 */
public final class EngineOptions {
  /** Strategy of a thread without work. */
  public enum Idle {
    /** The thread never sleeps: lowest latency, one occupied core. */
    BUSY,
    /** The thread polls the device for {@code idle-spin}, then sleeps until an event. */
    ADAPTIVE,
    /** The thread sleeps at once. */
    EVENT
  }

  private static final EngineOptions DEFAULTS = new EngineOptions(Map.of());

  private final Map<String, Object> values;

  private EngineOptions(Map<String, Object> values) {
    this.values = values;
  }

  /** Returns options without settings: the configuration applies. */
  public static EngineOptions defaults() {
    return DEFAULTS;
  }

  /** Returns these options with a strategy for a thread without work. */
  public EngineOptions withIdle(Idle idle) {
    return with("idle", idle.name().toLowerCase(Locale.ROOT));
  }

  /**
   * Returns these options with other sizes of the rings.
   *
   * @param submission entries; a power of two, 2 to 65,536
   * @param completion records; a power of two, at least twice {@code submission}
   */
  public EngineOptions withRings(int submission, int completion) {
    return with("submission-ring", submission).with("completion-ring", completion);
  }

  /**
   * Returns these options with a thread that runs on one CPU only.
   *
   * @param cpu Linux number of the CPU, from 0
   */
  public EngineOptions withCpu(int cpu) {
    return with("cpu", Integer.toString(cpu));
  }

  /**
   * Returns these options with another priority of the thread.
   *
   * @param nice Linux nice value, -20 (first) to 19 (last); values below the process's own need
   *     CAP_SYS_NICE
   */
  public EngineOptions withPriority(int nice) {
    return with("priority", Integer.toString(nice));
  }

  /** Returns these options with another name of the thread. */
  public EngineOptions withThreadName(String name) {
    return with("thread-name", name);
  }

  /** Returns these options with another time for {@code Stop}. */
  public EngineOptions withStopDeadline(Duration limit) {
    return with("stop-deadline", limit);
  }

  /**
   * Returns these options with a value of any key below {@code dpu.engine}.
   *
   * @param key relative to {@code dpu.engine}, such as {@code idle-spin}
   * @param value a number, a text or a {@link Duration}
   */
  public EngineOptions with(String key, Object value) {
    Map<String, Object> more = new HashMap<>(values);
    more.put(key, value);
    return new EngineOptions(Map.copyOf(more));
  }

  /** Returns the configuration with these options instead of its values. */
  Config over(Config root) {
    return values.isEmpty() ? root : config().withFallback(root);
  }

  /** Returns the configuration of these options alone. */
  Config config() {
    return ConfigFactory.parseMap(values, "EngineOptions").atPath("dpu.engine");
  }

  @Override
  public String toString() {
    return "EngineOptions" + values;
  }
}

package io.dpuactors.benchmarks.micro;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import io.dpuactors.bridge.DocaLibrary;
import io.dpuactors.bridge.LibraryChoice;
import io.dpuactors.bridge.SoftDpu;

/**
 * The software DPU of the microbenchmarks: it completes each task at once, on the engine's thread,
 * and does nothing.
 */
final class NullDevice {
  private NullDevice() {}

  /** Loads the library; call this before any context starts. */
  static DocaLibrary load() {
    return load(SoftDpu.Execution.INLINE);
  }

  /** Does the same for benchmarks with messages: inline execution needs a system call for each. */
  static DocaLibrary load(SoftDpu.Execution execution) {
    DocaLibrary library = DocaLibrary.load(LibraryChoice.SOFTDPU);
    SoftDpu device = SoftDpu.of(library);
    device.execution(execution);
    device.nullDevice(true);
    return library;
  }

  /** Returns a configuration of engines that never sleep. */
  static Config config() {
    return ConfigFactory.parseString(
            "dpu.library = softdpu, dpu.engine.idle = busy, pekko.loglevel = WARNING, pekko.log-dead-letters = off")
        .withFallback(ConfigFactory.load());
  }
}

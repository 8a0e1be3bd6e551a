package io.dpuactors.benchmarks.micro;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import io.dpuactors.bridge.DocaLibrary;
import io.dpuactors.bridge.LibraryChoice;
import io.dpuactors.bridge.SoftDpu;

/**
 * The software DPU as the microbenchmarks have it: it does nothing, at once, on the engine's
 * thread.
 */
final class NullDevice {
  private NullDevice() {}

  /** Before any context is started. */
  static DocaLibrary load() {
    return load(SoftDpu.Execution.INLINE);
  }

  /** The same, for benchmarks that exchange messages: inline execution asks the kernel for each. */
  static DocaLibrary load(SoftDpu.Execution execution) {
    DocaLibrary library = DocaLibrary.load(LibraryChoice.SOFTDPU);
    SoftDpu device = SoftDpu.of(library);
    device.execution(execution);
    device.nullDevice(true);
    return library;
  }

  /** Of engines that never sleep. */
  static Config config(String... more) {
    return ConfigFactory.parseString(
            "dpu.library = softdpu, dpu.engine.idle = busy, pekko.loglevel = WARNING, pekko.log-dead-letters = off, "
                + String.join(", ", more))
        .withFallback(ConfigFactory.load());
  }
}

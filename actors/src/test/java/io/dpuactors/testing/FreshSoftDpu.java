package io.dpuactors.testing;

import static org.assertj.core.api.Assertions.assertThat;

import io.dpuactors.bridge.DocaLibrary;
import io.dpuactors.bridge.LibraryChoice;
import io.dpuactors.bridge.SoftDpu;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** The software DPU as it comes out of its box before each test, and with nothing open after it. */
public final class FreshSoftDpu implements BeforeEachCallback, AfterEachCallback {
  /** The library of all tests. */
  public static final DocaLibrary LIBRARY = DocaLibrary.load(LibraryChoice.SOFTDPU);

  /** Its control. */
  public static final SoftDpu DEVICE = SoftDpu.of(LIBRARY);

  @Override
  public void beforeEach(ExtensionContext context) {
    DEVICE.clearFaults();
    DEVICE.quirks("");
    DEVICE.execution(SoftDpu.Execution.THREADS);
    DEVICE.profile("full");
    DEVICE.nullDevice(false);
    DEVICE.seed(1);
  }

  @Override
  public void afterEach(ExtensionContext context) {
    DEVICE.clearFaults();
    DEVICE.quirks("");
    assertThat(DEVICE.census())
        .as("live objects of the software DPU")
        .allSatisfy((name, count) -> assertThat(count).as(name).isZero());
  }
}

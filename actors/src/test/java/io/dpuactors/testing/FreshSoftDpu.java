package io.dpuactors.testing;

import static org.assertj.core.api.Assertions.assertThat;

import io.dpuactors.bridge.DocaLibrary;
import io.dpuactors.bridge.LibraryChoice;
import io.dpuactors.bridge.SoftDpu;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** Resets the software DPU before each test, and asserts after it that no resource is open. */
public final class FreshSoftDpu implements BeforeEachCallback, AfterEachCallback {
  /** library of all tests */
  public static final DocaLibrary LIBRARY = DocaLibrary.load(LibraryChoice.SOFTDPU);

  /** control of the software DPU */
  public static final SoftDpu DEVICE = SoftDpu.of(LIBRARY);

  @Override
  public void beforeEach(ExtensionContext context) {
    DEVICE.clearFaults();
    DEVICE.quirks("");
    DEVICE.manualClock(false);
    DEVICE.execution(SoftDpu.Execution.THREADS);
    DEVICE.profile("full");
    DEVICE.nullDevice(false);
    DEVICE.seed(1);
  }

  @Override
  public void afterEach(ExtensionContext context) {
    DEVICE.clearFaults();
    DEVICE.quirks("");
    DEVICE.manualClock(false);
    assertThat(DEVICE.census())
        .as("live objects of the software DPU")
        .allSatisfy((name, count) -> assertThat(count).as(name).isZero());
  }
}

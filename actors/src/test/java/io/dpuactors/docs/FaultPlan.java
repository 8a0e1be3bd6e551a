package io.dpuactors.docs;

import io.dpuactors.bridge.DocaLibrary;
import io.dpuactors.bridge.LibraryChoice;
import io.dpuactors.bridge.SoftDpu;

/** Sets faults of the software DPU from a test. */
final class FaultPlan {
  private FaultPlan() {}

  static SoftDpu thirdFails() {
    // tag::faults[]
    SoftDpu device = SoftDpu.of(DocaLibrary.load(LibraryChoice.SOFTDPU));
    device.faults("compress-deflate:fail=IO_FAILED:nth=3 ; *:delay=2ms:every=2");
    // end::faults[]
    return device;
  }
}

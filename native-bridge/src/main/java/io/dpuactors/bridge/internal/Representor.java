package io.dpuactors.bridge.internal;

import io.dpuactors.bridge.Census;
import io.dpuactors.bridge.DocaCode;
import io.dpuactors.bridge.DocaException;
import io.dpuactors.bridge.jna.DocaCommon;
import java.util.ArrayList;
import java.util.List;

/**
 * An opened representor: a host function, as a device of the DPU's side reaches it. Thread: the
 * engine's.
 */
public final class Representor implements AutoCloseable {
  private final ProgressEngine engine;
  private final String pciAddress;
  private final long pointer;
  private boolean closed;

  private Representor(ProgressEngine engine, String pciAddress, long pointer) {
    this.engine = engine;
    this.pciAddress = pciAddress;
    this.pointer = pointer;
  }

  /**
   * Opens the representor of a host's network function. Close it before the device.
   *
   * @param pciAddress of the function, with its domain, as in 0000:81:00.0, or without; empty for
   *     the device's first representor
   * @throws DocaException NOT_FOUND, naming the device's representors
   */
  public static Representor open(Device device, String pciAddress) {
    ProgressEngine engine = device.engine();
    engine.checkThread("Representor.open");
    String wanted = pciAddress.isBlank() ? "" : Device.withDomain(pciAddress);
    try (RepresentorList list = networkFunctions(device)) {
      List<String> addresses = new ArrayList<>();
      for (long info : list.infos()) {
        String address = RepresentorList.pciAddress(info);
        if (wanted.isEmpty() || address.equalsIgnoreCase(wanted)) {
          return open(engine, info, address);
        }
        addresses.add(address);
      }
      throw none(device, wanted, addresses);
    }
  }

  private static RepresentorList networkFunctions(Device device) {
    return RepresentorList.create(
        device.pointer(), RepresentorList.FILTER_NET, device.pciAddress());
  }

  private static Representor open(ProgressEngine engine, long info, String address) {
    long[] representor = new long[1];
    DocaException.check(
        "doca_dev_rep_open", DocaCommon.doca_dev_rep_open(info, representor), address);
    engine.census().opened(Census.Resource.REPRESENTOR);
    return new Representor(engine, address, representor[0]);
  }

  private static DocaException none(Device device, String wanted, List<String> addresses) {
    String what = wanted.isEmpty() ? "no representor on " : "no representor " + wanted + " on ";
    String rest =
        addresses.isEmpty()
            ? "; it has none, as devices of the host's side do"
            : "; it has " + String.join(", ", addresses);
    return new DocaException("open representor", DocaCode.NOT_FOUND, what + device + rest);
  }

  /** Returns the address of the function on the host's bus, with its domain, as in 0000:81:00.0. */
  public String pciAddress() {
    return pciAddress;
  }

  /** Returns the {@code struct doca_dev_rep *} of an open representor. */
  public long pointer() {
    if (closed) {
      throw new IllegalStateException("representor " + pciAddress + " is closed");
    }
    return pointer;
  }

  /**
   * Closes the representor. Idempotent.
   *
   * @throws DocaException IN_USE while a server uses it; the caller may try again
   */
  @Override
  public void close() {
    engine.checkThread("Representor.close");
    if (!closed) {
      DocaException.check("doca_dev_rep_close", DocaCommon.doca_dev_rep_close(pointer), pciAddress);
      closed = true;
      engine.census().closed(Census.Resource.REPRESENTOR);
    }
  }

  @Override
  public String toString() {
    return pciAddress;
  }
}

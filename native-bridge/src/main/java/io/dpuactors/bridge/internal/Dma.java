package io.dpuactors.bridge.internal;

import io.dpuactors.bridge.DocaException;
import io.dpuactors.bridge.jna.DocaDma;

/** Contexts of {@code doca_dma}: copies from memory to memory by the device. */
public final class Dma {
  private static final DocaContext.Destructor DESTRUCTOR =
      new DocaContext.Destructor("doca_dma_destroy", DocaDma::doca_dma_destroy);

  private Dma() {}

  /**
   * Creates an idle DMA context. The failure of a task moves such a context to {@link
   * ContextState#STOPPING}. Thread: the engine's.
   *
   * @param userData the context's state records repeat it
   * @throws DocaException NOT_SUPPORTED, naming the library, without libdoca_dma
   */
  public static DocaContext create(ProgressEngine engine, Device device, long userData) {
    engine.checkUse("Dma.create");
    String name = "dma on " + device.pciAddress();
    long[] dma = new long[1];
    DocaException.check(
        "doca_dma_create",
        DocaDma.doca_dma_create(device.pointer(), dma),
        name + engine.library().lacking());
    long ctx = DocaDma.doca_dma_as_ctx(dma[0]);
    return DocaContext.attach(engine, name, dma[0], ctx, DESTRUCTOR, userData);
  }
}

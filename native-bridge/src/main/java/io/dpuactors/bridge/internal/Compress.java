package io.dpuactors.bridge.internal;

import io.dpuactors.bridge.DocaException;
import io.dpuactors.bridge.jna.DocaCompress;

/** Contexts of {@code doca_compress}: deflate both ways, LZ4 decompression. */
public final class Compress {
  private static final DocaContext.Destructor DESTRUCTOR =
      new DocaContext.Destructor("doca_compress_destroy", DocaCompress::doca_compress_destroy);

  private Compress() {}

  /**
   * Creates an idle compress context. Thread: the engine's.
   *
   * @param userData the context's state records repeat it
   */
  public static DocaContext create(ProgressEngine engine, Device device, long userData) {
    engine.checkUse("Compress.create");
    String name = "compress on " + device.pciAddress();
    long[] compress = new long[1];
    DocaException.check(
        "doca_compress_create",
        DocaCompress.doca_compress_create(device.pointer(), compress),
        name);
    long ctx = DocaCompress.doca_compress_as_ctx(compress[0]);
    return DocaContext.attach(engine, name, compress[0], ctx, DESTRUCTOR, userData);
  }
}

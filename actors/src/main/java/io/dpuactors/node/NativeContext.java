package io.dpuactors.node;

import io.dpuactors.bridge.DocaCode;
import io.dpuactors.bridge.DocaException;
import io.dpuactors.bridge.internal.ContextState;
import io.dpuactors.bridge.internal.DocaContext;
import org.jspecify.annotations.Nullable;

/** The native context of a node, from its creation to its destruction. Engine's thread. */
final class NativeContext {
  private final String name;
  private final ContextOpener opener;
  private ContextOpener.@Nullable Opened opened;
  private DocaCode lastStop = DocaCode.SUCCESS;

  /**
   * Creates the holder without a context.
   *
   * @param name of the node, for messages
   */
  NativeContext(String name, ContextOpener opener) {
    this.name = name;
    this.opener = opener;
  }

  /**
   * Creates the context. Converts exceptions of the opener, and its lack of memory, so that they do
   * not affect other nodes.
   *
   * @throws DocaException if the creation fails
   */
  void open(EngineCore core, long userData) {
    try {
      opened = opener.open(core, userData);
    } catch (IllegalStateException | IllegalArgumentException e) {
      throw new DocaException("open", DocaCode.INVALID_VALUE, name + ": " + e.getMessage());
    } catch (OutOfMemoryError e) { // of memory that the context registers
      throw new DocaException("open", DocaCode.NO_MEMORY, name + ": " + e.getMessage());
    }
  }

  /** Returns the PCI address of the device; empty before {@link #open}. */
  String device() {
    return opened == null ? "" : opened.device();
  }

  /** Returns the context, or null before {@link #open}. */
  @Nullable DocaContext context() {
    return opened == null ? null : opened.context();
  }

  /** Returns the context with its limits and resources. */
  ContextOpener.Opened opened() {
    if (opened == null) {
      throw new IllegalStateException(name + " has no native context");
    }
    return opened;
  }

  ContextState state() {
    return opened().context().state();
  }

  void start() {
    opened().context().start();
  }

  /** Asks DOCA to stop the context, after submitting the pending entries. */
  void stop() {
    opened().context().drain();
    lastStop = opened().context().stop();
  }

  /** Repeats the stop if DOCA answered AGAIN or IN_USE. */
  void stopAgain() {
    if (lastStop == DocaCode.AGAIN || lastStop == DocaCode.IN_USE) {
      lastStop = opened().context().stop();
    }
  }

  /** Destroys the context and closes its resources. */
  void destroy() {
    opened().context().destroy();
    opened().destroyed().run();
  }
}

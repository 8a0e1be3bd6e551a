package io.dpuactors.node;

import io.dpuactors.bridge.ContextState;
import io.dpuactors.bridge.DocaCode;
import io.dpuactors.bridge.DocaContext;
import io.dpuactors.bridge.DocaError;
import io.dpuactors.bridge.DocaException;
import org.jspecify.annotations.Nullable;

/** What DOCA has of a node: nothing, then a context, until that is destroyed. Engine's thread. */
final class NativeContext {
  private final String name;
  private final ContextOpener opener;
  private ContextOpener.@Nullable Opened opened;
  private DocaCode lastStop = DocaCode.SUCCESS;

  /**
   * Nothing yet.
   *
   * @param name of the node, for messages
   */
  NativeContext(String name, ContextOpener opener) {
    this.name = name;
    this.opener = opener;
  }

  /**
   * Creates the context. Whatever the opener stumbles over, it must not take the other nodes' turn.
   *
   * @throws DocaException when it cannot be
   */
  void open(EngineCore core, long userData) {
    try {
      opened = opener.open(core, userData);
    } catch (IllegalStateException | IllegalArgumentException e) {
      throw new DocaException(
          DocaError.of("open", DocaCode.INVALID_VALUE.value(), name + ": " + e.getMessage()));
    }
  }

  /** The context, if it was opened. */
  @Nullable DocaContext context() {
    return opened == null ? null : opened.context();
  }

  /** The context with what it was made of. */
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

  /** Tells DOCA to stop it, after what was submitted. */
  void stop() {
    opened().context().drain();
    lastStop = opened().context().stop();
  }

  /** Tells DOCA once more, if it said that it could not at that time. */
  void stopAgain() {
    if (lastStop == DocaCode.AGAIN || lastStop == DocaCode.IN_USE) {
      lastStop = opened().context().stop();
    }
  }

  /** Destroys it, and closes what it was made of. */
  void destroy() {
    opened().context().destroy();
    opened().destroyed().run();
  }
}

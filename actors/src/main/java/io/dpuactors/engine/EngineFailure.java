package io.dpuactors.engine;

/**
 * Reports that the engine's loop has detached the progress engine after repeated failures. The
 * engine actor throws it, and its supervisor decides. By default, the engine stops. The cause is
 * the last failure.
 */
public final class EngineFailure extends RuntimeException {
  private static final long serialVersionUID = 1L;

  EngineFailure(String engine, Throwable cause) {
    super(
        "engine %s has lost its progress engine: %s; a restart opens a new one"
            .formatted(engine, cause.getMessage()),
        cause);
  }
}

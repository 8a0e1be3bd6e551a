package io.dpuactors.engine;

/**
 * The progress engine is broken: the engine's loop has given it up after several attempts. The
 * engine's actor throws this, and its supervisor decides; by default the engine stops. The cause is
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

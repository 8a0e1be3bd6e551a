package io.dpuactors.loop;

/** The one thread of an engine. */
final class EngineThread extends Thread {
  private final EngineLoop loop;

  EngineThread(EngineLoop loop, String name) {
    super(loop::run, name);
    this.loop = loop;
    setDaemon(false);
  }

  EngineLoop loop() {
    return loop;
  }
}

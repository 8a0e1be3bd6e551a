package io.dpuactors.benchmarks.run;

/** Is told what happens. Called on the thread that runs. */
@FunctionalInterface
public interface Observer {
  /** For people: one line. */
  void told(String line);
}

package io.dpuactors.benchmarks.run;

/** Receives the progress of a run, on the running thread. */
@FunctionalInterface
public interface Observer {
  /** Receives one line for the user. */
  void told(String line);
}

package io.dpuactors.benchmarks.soak;

/**
 * Where clients find the servers of a round.
 *
 * @param service name of the comch server
 * @param port of the RDMA listener
 */
record RoundPlace(String service, int port) {
  private static final int FIRST_PORT = 10_000;

  /** Rounds of one process that have different ports. */
  private static final int ROUNDS = 10;

  private static final int PROCESSES = 5_000;

  /** Returns the place of a round of this process. */
  static RoundPlace of(int round) {
    long pid = ProcessHandle.current().pid();
    int port = FIRST_PORT + (int) (pid % PROCESSES) * ROUNDS + round % ROUNDS;
    return new RoundPlace("soak-" + pid + "-" + round, port);
  }
}

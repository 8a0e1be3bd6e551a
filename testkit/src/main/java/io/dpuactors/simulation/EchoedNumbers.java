package io.dpuactors.simulation;

/** The numbers of the messages that a client receives. They increase. World's thread. */
final class EchoedNumbers {
  private final Run run;
  private final boolean isCalm;
  private final String name;
  private int next;
  private int damaged;

  /**
   * Creates the numbers of a client without a message.
   *
   * @param isCalm whether nothing disturbs the run: then no number is missing
   */
  EchoedNumbers(Run run, boolean isCalm, String name) {
    this.run = run;
    this.isCalm = isCalm;
    this.name = name;
  }

  /** Checks a message. */
  void received(byte[] bytes) {
    if (!EchoMessage.isIntact(bytes)) {
      addDamaged();
      return;
    }
    int number = EchoMessage.number(bytes);
    run.note(name + " received " + number);
    run.check(number >= next, "message %d of %s returned after %d", number, name, next - 1);
    run.check(!isCalm || number == next, "message %d of %s is missing", next, name);
    next = number + 1;
  }

  /** Counts a message that arrived with other bytes. */
  void addDamaged() {
    damaged++;
    run.note(name + " received damaged bytes");
    run.reached("damaged message");
  }

  /** Returns the number of messages that arrived with other bytes. */
  int damaged() {
    return damaged;
  }
}

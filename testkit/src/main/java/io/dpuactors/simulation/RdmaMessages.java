package io.dpuactors.simulation;

import io.dpuactors.protocol.RdmaConnectionProtocol.Batch;
import io.dpuactors.protocol.RdmaConnectionProtocol.Message;
import java.util.HashSet;
import java.util.Set;

/**
 * The messages of a client of an RDMA server, which the server returns, and the client's writes
 * with immediate data. All have increasing numbers. A message returns once at most, and only on the
 * connection that has sent it. World's thread.
 */
final class RdmaMessages {
  private final Run run;
  private final String name;

  /** Numbers of requests without an answer. */
  private final Set<Integer> unanswered = new HashSet<>();

  /** Numbers of messages and writes that the client waits for. */
  private final Set<Integer> onTheWay = new HashSet<>();

  /** Numbers of messages that can return. */
  private final Set<Integer> possible = new HashSet<>();

  /** Numbers of messages that cannot return on the next connection. */
  private final Set<Integer> former = new HashSet<>();

  private final Set<Integer> withImmediate = new HashSet<>();

  /** Numbers of messages whose bytes a fault has changed. */
  private final Set<Integer> damaged = new HashSet<>();

  private int next;

  RdmaMessages(Run run, String name) {
    this.run = run;
    this.name = name;
  }

  /** Returns how many messages and writes the client waits for. */
  int onTheWay() {
    return onTheWay.size();
  }

  /** Returns how many messages had other bytes. */
  int damaged() {
    return damaged.size();
  }

  /** Adds a message. */
  void sent(int number, boolean hasImmediate) {
    announced(number);
    possible.add(number);
    if (hasImmediate) {
      withImmediate.add(number);
    }
  }

  /** Adds the messages of a batch, whose numbers begin with its tag. */
  void sent(Batch batch) {
    for (int task = 0; task < batch.batch().size(); task++) {
      sent((int) batch.tag() + task, false);
    }
  }

  /** Adds a write with immediate data. */
  void announced(int number) {
    unanswered.add(number);
    onTheWay.add(number);
  }

  /** The request is complete. */
  void completed(int number) {
    unanswered.remove(number);
  }

  /**
   * The request has failed.
   *
   * @param isRefused whether the device has not received the request; else the server may have
   *     received it
   */
  void failed(int number, boolean isRefused) {
    unanswered.remove(number);
    onTheWay.remove(number);
    if (isRefused) {
      possible.remove(number);
    }
  }

  /**
   * The batch has its answer.
   *
   * @param isEnded whether each message has a result
   * @param isRefused whether the device has received no message
   */
  void answered(Batch batch, boolean isEnded, boolean isRefused) {
    for (int task = 0; task < batch.batch().size(); task++) {
      int number = (int) batch.tag() + task;
      if (isEnded && batch.batch().results().error(task) == null) {
        completed(number);
      } else {
        failed(number, isRefused);
      }
    }
  }

  /** The connection is lost. Requests without an answer may be sent on the next one. */
  void lost() {
    former.addAll(possible);
    former.removeAll(unanswered);
  }

  /**
   * The client is connected again. A request on the new connection may have its answer already.
   * Then the client does not wait for its message.
   */
  void connectedAgain() {
    possible.removeAll(former);
    former.clear();
    onTheWay.retainAll(unanswered);
  }

  /** The connection has ended: no message returns on it. */
  void ended() {
    possible.clear();
    former.clear();
    onTheWay.clear();
  }

  /** The immediate data of a write has arrived at the server. */
  void arrived(int number) {
    onTheWay.remove(number);
  }

  /** Checks a message that has returned. A fault may delay some receives. */
  void received(Message message) {
    int found = EchoMessage.number(message.bytes()); // the damaged byte is not in the number
    boolean isPossible = possible.remove(found);
    onTheWay.remove(found);
    if (!EchoMessage.isIntact(message.bytes())) {
      damaged.add(found);
      return;
    }
    run.note(name + " received " + found);
    run.check(
        message.immediate().isPresent() == withImmediate.contains(found)
            && message.immediate().orElse(found) == found,
        "message %d of %s returned with %s",
        found,
        name,
        message.immediate());
    run.check(
        found >= next || run.faultCount("delayed") > 0,
        "message %d of %s returned after %d",
        found,
        name,
        next - 1);
    run.check(isPossible, "message %d of %s returned twice or too late", found, name);
    next = found + 1;
  }
}

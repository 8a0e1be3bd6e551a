package io.dpuactors.simulation;

import io.dpuactors.bridge.Buffer;
import io.dpuactors.protocol.RdmaConnectionProtocol.Completed;
import io.dpuactors.protocol.RdmaConnectionProtocol.Failed;
import io.dpuactors.protocol.RdmaConnectionProtocol.Message;
import io.dpuactors.protocol.RdmaConnectionProtocol.Reply;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** The requests of a client of an RDMA server, and the bytes that it must find. */
final class RdmaModel {
  private final Run run;
  private final boolean isCalm;
  private final String name;

  /** The number that each read must find, or the number of the request; by tag. */
  private final Map<Long, Integer> unanswered = new HashMap<>();

  /** Numbers whose bytes a fault has changed; negative for messages. */
  private final Set<Integer> damaged = new HashSet<>();

  private final Deadlines deadlines;
  private int written = -1;
  private boolean isWriteLost;
  private int messages;
  private int returned;
  private int next;

  /**
   * Creates the model of a client.
   *
   * @param isCalm whether nothing disturbs the run
   */
  RdmaModel(Run run, boolean isCalm, String name) {
    this.run = run;
    this.isCalm = isCalm;
    this.name = name;
    this.deadlines = new Deadlines(run, name, Deadlines.CONFIGURED, false);
  }

  int unanswered() {
    return unanswered.size();
  }

  /** Returns the number of messages that have not returned. */
  int messages() {
    return messages - returned;
  }

  /** Returns whether the memory has a number of this client. */
  boolean hasWritten() {
    return written >= 0;
  }

  /** Returns the number of messages and writes that arrived with other bytes. */
  int damaged() {
    return damaged.size();
  }

  void sends(int tag) {
    add(tag, tag);
    messages++;
  }

  void writes(int tag) {
    add(tag, tag);
    written = tag;
  }

  void reads(int tag) {
    add(tag, written);
  }

  private void add(int tag, int expected) {
    deadlines.sent(tag);
    unanswered.put((long) tag, expected);
  }

  /** The connection has ended: the messages on their way are lost. */
  void disconnected() {
    returned = messages;
  }

  /** Checks an answer. */
  void answered(Reply reply) {
    Integer expected = unanswered.remove(reply.tag());
    if (expected == null) {
      run.fail("request %d has two answers; the second is %s".formatted(reply.tag(), reply));
      return;
    }
    deadlines.answered(reply.tag(), reply instanceof Failed failed ? failed.error() : null);
    boolean isRead = expected != reply.tag();
    Buffer dst = reply.dst();
    if (reply instanceof Completed) {
      run.reached(dst == null ? "sent" : isRead ? "read" : "written");
      if (isRead && dst != null) {
        onRead(expected, TaskModel.content(dst));
      }
    } else {
      run.check(!isCalm, "failed: " + reply);
      run.reached(reply instanceof Failed failed ? failed.code().name() : "busy");
      isWriteLost |= dst != null && !isRead;
    }
  }

  /** After a failed write, the memory has that number or an earlier one. */
  private void onRead(int expected, byte[] bytes) {
    if (isWriteLost && Arrays.equals(bytes, new byte[bytes.length])) {
      return; // no write has reached the memory
    }
    if (!EchoMessage.isIntact(bytes)) {
      damaged.add(expected);
      return;
    }
    int found = EchoMessage.number(bytes);
    run.note(name + " read " + found);
    run.check(
        found == expected || (isWriteLost && found < expected),
        "%s read %d instead of %d",
        name,
        found,
        expected);
  }

  /** Checks a message that has returned. A fault may delay some receives. */
  void received(Message message) {
    returned++;
    if (!EchoMessage.isIntact(message.bytes())) {
      damaged.add(-returned);
      return;
    }
    int found = EchoMessage.number(message.bytes());
    run.note(name + " received " + found);
    run.check(
        found >= next || run.faultCount("delayed") > 0,
        "message %d of %s returned after %d",
        found,
        name,
        next - 1);
    next = found + 1;
  }

  /** Fails the run if an answer is missing. */
  void check() {
    run.check(unanswered.isEmpty(), "requests without an answer: " + unanswered.keySet());
  }
}

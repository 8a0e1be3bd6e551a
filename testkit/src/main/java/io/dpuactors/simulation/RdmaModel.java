package io.dpuactors.simulation;

import io.dpuactors.bridge.BatchResults;
import io.dpuactors.bridge.DocaCode;
import io.dpuactors.bridge.DocaError;
import io.dpuactors.bridge.TaskBatch;
import io.dpuactors.bridge.TaskKind;
import io.dpuactors.protocol.BatchReply;
import io.dpuactors.protocol.BatchReply.BatchFailed;
import io.dpuactors.protocol.BatchReply.Ended;
import io.dpuactors.protocol.RdmaConnectionProtocol.Batch;
import io.dpuactors.protocol.RdmaConnectionProtocol.CompareAndSwap;
import io.dpuactors.protocol.RdmaConnectionProtocol.Completed;
import io.dpuactors.protocol.RdmaConnectionProtocol.Failed;
import io.dpuactors.protocol.RdmaConnectionProtocol.FetchAndAdd;
import io.dpuactors.protocol.RdmaConnectionProtocol.Message;
import io.dpuactors.protocol.RdmaConnectionProtocol.PeerRequest;
import io.dpuactors.protocol.RdmaConnectionProtocol.Read;
import io.dpuactors.protocol.RdmaConnectionProtocol.Reply;
import io.dpuactors.protocol.RdmaConnectionProtocol.Send;
import io.dpuactors.protocol.RdmaConnectionProtocol.Write;
import io.dpuactors.protocol.RdmaEventProtocol.EventRequest;
import io.dpuactors.protocol.RdmaEventProtocol.EventValue;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** The requests of a client of an RDMA server, and the bytes that it must find. */
final class RdmaModel {
  /**
   * A request without an answer.
   *
   * @param written the last write before it, which a read must find
   */
  private record Sent(PeerRequest request, int written) {}

  /** A batch without an answer, and the last write before it. */
  private record SentBatch(TaskKind kind, TaskBatch batch, int written) {}

  private final Run run;
  private final boolean isCalm;
  private final String name;
  private final RdmaAtomics atomics;
  private final RdmaCounter counter;

  /** By tag. */
  private final Map<Long, Sent> unanswered = new HashMap<>();

  /** By tag. */
  private final Map<Long, SentBatch> batches = new HashMap<>();

  /** Numbers whose bytes a fault has changed; negative for messages. */
  private final Set<Integer> damaged = new HashSet<>();

  private final Deadlines deadlines;

  /** Numbers of writes whose immediate data has not arrived at the server. */
  private final Set<Integer> announced = new HashSet<>();

  /** Numbers of messages with immediate data. */
  private final Set<Integer> withImmediate = new HashSet<>();

  private int written = -1;
  private boolean isWriteLost;
  private int messages;
  private int returned;
  private int next;

  /**
   * Creates the model of a client.
   *
   * @param isCalm whether nothing disturbs the run
   * @param atomics checks the answers to atomic tasks
   * @param counter checks the answers to requests on the client's sync event
   */
  RdmaModel(Run run, boolean isCalm, String name, RdmaAtomics atomics, RdmaCounter counter) {
    this.run = run;
    this.isCalm = isCalm;
    this.name = name;
    this.atomics = atomics;
    this.counter = counter;
    this.deadlines = new Deadlines(run, name, Deadlines.CONFIGURED, false);
  }

  int unanswered() {
    return unanswered.size() + batches.size();
  }

  /** Returns how many messages have not returned, and immediate data of writes not arrived. */
  int onTheWay() {
    return messages - returned + announced.size();
  }

  /** Returns whether the memory has a number of this client. */
  boolean hasWritten() {
    return written >= 0;
  }

  /** Returns how many messages and writes had other bytes, and answers another number. */
  int damaged() {
    return damaged.size() + atomics.wrong() + counter.wrong();
  }

  /** Adds a request. The tag of a message or a write is its number. */
  void sent(PeerRequest request) {
    deadlines.sent(request.tag());
    unanswered.put(request.tag(), new Sent(request, written));
    int number = (int) request.tag();
    boolean hasImmediate = request.immediate().isPresent();
    if (request instanceof Send) {
      messages++;
      if (hasImmediate) {
        withImmediate.add(number);
      }
    } else if (request instanceof Write) {
      written = number;
      if (hasImmediate) {
        announced.add(number);
      }
    }
  }

  /** Adds a batch. Its writes or messages have the numbers from its tag. */
  void sent(Batch request) {
    deadlines.sent(request.tag());
    batches.put(request.tag(), new SentBatch(request.kind(), request.batch(), written));
    int count = request.batch().size();
    if (request.kind() == TaskKind.RDMA_WRITE) {
      written = (int) request.tag() + count - 1;
    } else if (request.kind() == TaskKind.RDMA_SEND) {
      messages += count;
    }
  }

  /** The connection has ended: the messages and the immediate data on their way are lost. */
  void disconnected() {
    returned = messages;
    announced.clear();
  }

  /** Checks an answer. */
  void answered(Reply reply) {
    Sent sent = unanswered.remove(reply.tag());
    if (sent == null) {
      run.fail("request %d has two answers; the second is %s".formatted(reply.tag(), reply));
      return;
    }
    deadlines.answered(reply.tag(), reply instanceof Failed failed ? failed.error() : null);
    PeerRequest request = sent.request();
    run.check(
        reply.src() == request.src() && reply.dst() == request.dst(), "other buffers: %s", reply);
    if (reply instanceof Completed) {
      onCompleted(sent);
    } else if (!(reply instanceof EventValue)) {
      run.check(!isCalm, "failed: " + reply);
      run.reached(reply instanceof Failed failed ? failed.code().name() : "busy");
      isWriteLost |= request instanceof Write;
      announced.remove((int) reply.tag());
    }
    if (request instanceof FetchAndAdd || request instanceof CompareAndSwap) {
      atomics.answered(request, reply);
    } else if (request instanceof EventRequest onEvent) {
      counter.answered(onEvent, reply);
    }
  }

  /** Checks the answer to a batch. */
  void answered(BatchReply reply) {
    SentBatch sent = batches.remove(reply.tag());
    if (sent == null) {
      run.fail("batch %d has two answers; the second is %s".formatted(reply.tag(), reply));
      return;
    }
    run.check(reply.batch() == sent.batch(), "another batch: %s", reply);
    DocaError error = reply instanceof BatchFailed failed ? failed.error() : null;
    deadlines.answered(reply.tag(), error);
    boolean isComplete = reply instanceof Ended ended && isComplete(sent, ended.batch());
    run.check(!isCalm || isComplete, "the batch failed: %s", reply);
    run.reached(isComplete ? "batch of " + sent.kind() : "batch incomplete");
    isWriteLost |= !isComplete && sent.kind() == TaskKind.RDMA_WRITE;
  }

  /** Each task has one result. No task follows one that the device has failed. */
  private boolean isComplete(SentBatch sent, TaskBatch batch) {
    BatchResults results = batch.results();
    int done = 0;
    boolean hasEnded = false;
    for (int task = 0; task < batch.size(); task++) {
      DocaError error = results.error(task);
      if (error == null) {
        run.check(!hasEnded, "task %d of a batch is done after a failed one", task);
        done++;
        if (sent.kind() == TaskKind.RDMA_READ) {
          onRead(sent.written(), TaskModel.content(batch.destinations().get(task)), isWriteLost);
        }
      } else {
        run.explanations().check(FailedAnswers.RDMA, error);
        hasEnded |= error.code() == DocaCode.IO_FAILED;
      }
    }
    run.check(
        results.ended() == batch.size() && results.failures() == batch.size() - done,
        "a batch of %d tasks has %d results and %d failures",
        batch.size(),
        results.ended(),
        results.failures());
    return done == batch.size();
  }

  private void onCompleted(Sent sent) {
    if (sent.request() instanceof Send) {
      run.reached("sent");
    } else if (sent.request() instanceof Write) {
      run.reached("written");
    } else if (sent.request() instanceof Read read) {
      run.reached("read");
      onRead(sent.written(), TaskModel.content(read.dst()), isWriteLost);
    }
  }

  /** Checks the memory. After a failed write, it has that number or an earlier one. */
  private void onRead(int expected, byte[] bytes, boolean mayBeOlder) {
    if (mayBeOlder && Arrays.equals(bytes, new byte[bytes.length])) {
      return; // no write has reached the memory
    }
    int found = EchoMessage.number(bytes);
    if (!EchoMessage.isIntact(bytes)) {
      damaged.add(found); // the damaged byte is not in the number
      return;
    }
    run.note(name + " read " + found);
    run.check(
        found == expected || (mayBeOlder && found < expected),
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
    next = found + 1;
  }

  /** The immediate data of a write has arrived at the server. */
  void arrived(int number) {
    announced.remove(number);
  }

  /** Checks the memory when the number of a write has arrived: it has this write or a later one. */
  void checkWritten(int number, byte[] bytes) {
    int found = EchoMessage.number(bytes);
    if (EchoMessage.isIntact(bytes)) {
      run.check(
          found >= number || isWriteLost,
          "the memory has write %d of %s when %d arrives",
          found,
          name,
          number);
    } else if (!isWriteLost || found != 0) {
      damaged.add(found);
    }
  }

  /** Checks the memory of the server after the requests. Those without an answer may follow. */
  void checkMemory(RdmaStore.Content content, int client) {
    if (hasWritten()) {
      onRead(written, content.part(client), isWriteLost || unanswered() > 0);
    }
    atomics.check(content);
  }

  /** Fails the run if an answer is missing. */
  void check() {
    run.check(unanswered.isEmpty(), "requests without an answer: " + unanswered.keySet());
    run.check(batches.isEmpty(), "batches without an answer: " + batches.keySet());
  }
}

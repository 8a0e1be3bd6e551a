package io.dpuactors.simulation;

import io.dpuactors.bridge.BatchResults;
import io.dpuactors.bridge.DocaCode;
import io.dpuactors.bridge.DocaError;
import io.dpuactors.bridge.TaskBatch;
import io.dpuactors.bridge.TaskKind;
import io.dpuactors.protocol.BatchReply;
import io.dpuactors.protocol.BatchReply.BatchFailed;
import io.dpuactors.protocol.BatchReply.Ended;
import io.dpuactors.protocol.Busy;
import io.dpuactors.protocol.RdmaConnectionProtocol.Batch;
import io.dpuactors.protocol.RdmaConnectionProtocol.CompareAndSwap;
import io.dpuactors.protocol.RdmaConnectionProtocol.Completed;
import io.dpuactors.protocol.RdmaConnectionProtocol.Failed;
import io.dpuactors.protocol.RdmaConnectionProtocol.FetchAndAdd;
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
  private record SentBatch(Batch request, int written) {}

  private final Run run;
  private final boolean isCalm;
  private final String name;
  private final RdmaAtomics atomics;
  private final RdmaCounter counter;

  /** By tag. */
  private final Map<Long, Sent> unanswered = new HashMap<>();

  /** By tag. */
  private final Map<Long, SentBatch> batches = new HashMap<>();

  /** Numbers of writes whose bytes a fault has changed. */
  private final Set<Integer> damaged = new HashSet<>();

  private final Deadlines deadlines;
  private final RdmaMessages messages;
  private int written = -1;
  private boolean isWriteLost;

  /**
   * Creates the model of a client.
   *
   * @param isCalm whether nothing disturbs the run
   * @param connectsAgain whether requests may wait for the next connection
   * @param atomics checks the answers to atomic tasks
   * @param counter checks the answers to requests on the client's sync event
   */
  RdmaModel(
      Run run,
      boolean isCalm,
      String name,
      boolean connectsAgain,
      RdmaAtomics atomics,
      RdmaCounter counter) {
    this.run = run;
    this.isCalm = isCalm;
    this.name = name;
    this.atomics = atomics;
    this.counter = counter;
    this.deadlines = new Deadlines(run, name, Deadlines.CONFIGURED, connectsAgain);
    this.messages = new RdmaMessages(run, name);
  }

  int unanswered() {
    return unanswered.size() + batches.size();
  }

  /** Returns the messages, and the writes with immediate data. */
  RdmaMessages messages() {
    return messages;
  }

  /** Returns how many messages have not returned, and immediate data of writes not arrived. */
  int onTheWay() {
    return messages.onTheWay();
  }

  /** Returns whether the memory has a number of this client. */
  boolean hasWritten() {
    return written >= 0;
  }

  /** Returns how many messages and writes had other bytes, and answers another number. */
  int damaged() {
    return damaged.size() + messages.damaged() + atomics.wrong() + counter.wrong();
  }

  /** The connection has ended. Its requests without an answer may follow those of the next one. */
  void disconnected() {
    isWriteLost |=
        unanswered.values().stream().anyMatch(sent -> sent.request() instanceof Write)
            || batches.values().stream()
                .anyMatch(sent -> sent.request().kind() == TaskKind.RDMA_WRITE);
    atomics.disconnected();
    counter.disconnected();
  }

  /** Adds a request. The tag of a message or a write is its number. */
  void sent(PeerRequest request) {
    deadlines.sent(request.tag());
    unanswered.put(request.tag(), new Sent(request, written));
    int number = (int) request.tag();
    boolean hasImmediate = request.immediate().isPresent();
    if (request instanceof Send) {
      messages.sent(number, hasImmediate);
    } else if (request instanceof Write) {
      written = number;
      if (hasImmediate) {
        messages.announced(number);
      }
    }
  }

  /** Adds a batch. Its writes or messages have the numbers from its tag. */
  void sent(Batch request) {
    deadlines.sent(request.tag());
    batches.put(request.tag(), new SentBatch(request, written));
    int count = request.batch().size();
    if (request.kind() == TaskKind.RDMA_WRITE) {
      written = (int) request.tag() + count - 1;
    } else if (request.kind() == TaskKind.RDMA_SEND) {
      messages.sent(request);
    }
  }

  /** Returns whether the device has surely not received the request of this answer. */
  static boolean isRefused(Reply reply) {
    return reply instanceof Busy || (reply instanceof Failed failed && hasWaited(failed.error()));
  }

  /** Returns whether a request with this error has only waited for a connection. */
  private static boolean hasWaited(DocaError error) {
    return error.operation().equals("client");
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
    int number = (int) reply.tag();
    if (reply instanceof Completed) {
      messages.completed(number);
      onCompleted(sent);
    } else if (!(reply instanceof EventValue)) {
      run.check(!isCalm, "failed: " + reply);
      run.reached(reply instanceof Failed failed ? failed.code().name() : "busy");
      isWriteLost |= request instanceof Write;
      messages.failed(number, isRefused(reply));
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
    Batch request = sent.request();
    run.check(reply.batch() == request.batch(), "another batch: %s", reply);
    DocaError error = reply instanceof BatchFailed failed ? failed.error() : null;
    deadlines.answered(reply.tag(), error);
    boolean isComplete = reply instanceof Ended ended && isComplete(sent, ended.batch());
    run.check(!isCalm || isComplete, "the batch failed: %s", reply);
    run.reached(isComplete ? "batch of " + request.kind() : "batch incomplete");
    isWriteLost |= !isComplete && request.kind() == TaskKind.RDMA_WRITE;
    if (request.kind() == TaskKind.RDMA_SEND) {
      boolean isRefused = reply instanceof Busy || (error != null && hasWaited(error));
      messages.answered(request, reply instanceof Ended, isRefused);
    }
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
        if (sent.request().kind() == TaskKind.RDMA_READ) {
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

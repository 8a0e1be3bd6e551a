package io.dpuactors.simulation;

import static io.dpuactors.bridge.DocaCode.ALREADY_EXIST;
import static io.dpuactors.bridge.DocaCode.BAD_STATE;
import static io.dpuactors.bridge.DocaCode.CONNECTION_ABORTED;
import static io.dpuactors.bridge.DocaCode.CONNECTION_RESET;
import static io.dpuactors.bridge.DocaCode.FULL;
import static io.dpuactors.bridge.DocaCode.INITIALIZATION;
import static io.dpuactors.bridge.DocaCode.INVALID_VALUE;
import static io.dpuactors.bridge.DocaCode.IN_USE;
import static io.dpuactors.bridge.DocaCode.IO_FAILED;
import static io.dpuactors.bridge.DocaCode.NOT_CONNECTED;
import static io.dpuactors.bridge.DocaCode.NOT_FOUND;
import static io.dpuactors.bridge.DocaCode.NOT_SUPPORTED;
import static io.dpuactors.bridge.DocaCode.NO_MEMORY;
import static io.dpuactors.bridge.DocaCode.SHUTDOWN;
import static io.dpuactors.bridge.DocaCode.TIME_OUT;
import static io.dpuactors.bridge.DocaCode.UNEXPECTED;

import io.dpuactors.bridge.DocaCode;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Groups of failed answers, and the codes that each {@link FailureCause} explains in them. */
@SuppressWarnings("ImmutableEnumChecker") // The collections do not change.
enum FailedAnswers {
  /** Of contexts of tasks, and of their objects. */
  TASKS("Task", "Batch", "Compress", "Dma", "Sha", "AesGcm", "ErasureCoding") {
    @Override
    void fill() {
      put(FailureCause.PROGRAM, TIME_OUT, INVALID_VALUE, IO_FAILED, FULL, NOT_SUPPORTED);
      put(FailureCause.END, SHUTDOWN, NOT_FOUND, ALREADY_EXIST, INVALID_VALUE);
      put(FailureCause.FAULT, IO_FAILED, UNEXPECTED, BAD_STATE);
      put(FailureCause.LOSS, IO_FAILED, UNEXPECTED, BAD_STATE, INITIALIZATION);
      put(FailureCause.ALLOCATION, NO_MEMORY);
      put(FailureCause.DELAY, TIME_OUT);
    }
  },

  /** Of pools and shared memory. */
  MEMORY("Memory") {
    @Override
    void fill() {
      put(FailureCause.END, SHUTDOWN, INVALID_VALUE, NOT_FOUND);
      put(FailureCause.ALLOCATION, NO_MEMORY);
    }
  },

  /** Of the communication channel, with its consumers and producers. */
  CONNECTIONS("Connection", "Client", "Server", "Consumer", "Producer") {
    @Override
    void fill() {
      put(FailureCause.PROGRAM, TIME_OUT, CONNECTION_RESET, IN_USE, NOT_CONNECTED);
      put(
          FailureCause.END,
          SHUTDOWN,
          CONNECTION_ABORTED,
          ALREADY_EXIST,
          IO_FAILED,
          BAD_STATE, // a message that waits for another attempt at the end of its context
          INVALID_VALUE); // a message that the device gets after the end of its connection
      put(FailureCause.FAULT, IO_FAILED, UNEXPECTED);
      put(FailureCause.LOSS, IO_FAILED, UNEXPECTED, INITIALIZATION);
      put(FailureCause.ALLOCATION, NO_MEMORY);
      put(FailureCause.DELAY, CONNECTION_ABORTED, SHUTDOWN);
      put(FailureCause.CORRUPTION, BAD_STATE, SHUTDOWN);
    }
  },

  /** Of requests for messages of RDMA connections. */
  RDMA_RECEIVES("RdmaReceive") {
    @Override
    void fill() {
      put(FailureCause.PROGRAM, TIME_OUT);
      put(FailureCause.END, SHUTDOWN, CONNECTION_RESET, CONNECTION_ABORTED, IO_FAILED, BAD_STATE);
      put(FailureCause.FAULT, IO_FAILED, CONNECTION_RESET, UNEXPECTED);
      put(FailureCause.LOSS, IO_FAILED, CONNECTION_RESET, UNEXPECTED, INITIALIZATION);
      put(FailureCause.ALLOCATION, NO_MEMORY);
    }
  },

  /** Of RDMA contexts, listeners and connections. */
  RDMA("Rdma") {
    @Override
    void fill() {
      put(
          FailureCause.END,
          SHUTDOWN,
          CONNECTION_RESET,
          CONNECTION_ABORTED,
          ALREADY_EXIST, // a client that is opened again before the end of the last one
          IO_FAILED,
          BAD_STATE,
          INVALID_VALUE,
          NOT_CONNECTED); // a task that the bridge submits after the end of its connection
      put(FailureCause.FAULT, IO_FAILED, CONNECTION_RESET, UNEXPECTED, NOT_CONNECTED);
      put(
          FailureCause.LOSS,
          IO_FAILED,
          CONNECTION_RESET,
          UNEXPECTED,
          INITIALIZATION,
          NOT_CONNECTED);
      put(FailureCause.ALLOCATION, NO_MEMORY);
      put(FailureCause.DELAY, TIME_OUT);
    }
  },

  /** Of exports of sync events, which have no deadline. */
  EXPORTS("SyncEventProtocol$NotExported") {
    @Override
    void fill() {
      put(FailureCause.END, SHUTDOWN, BAD_STATE);
      put(FailureCause.ALLOCATION, NO_MEMORY);
    }
  },

  /** Of sync events. */
  EVENTS("SyncEvent") {
    @Override
    void fill() {
      put(FailureCause.PROGRAM, TIME_OUT);
      put(FailureCause.END, SHUTDOWN, IO_FAILED, INVALID_VALUE);
      put(FailureCause.FAULT, IO_FAILED);
      put(FailureCause.LOSS, IO_FAILED, UNEXPECTED, INITIALIZATION);
      put(FailureCause.ALLOCATION, NO_MEMORY);
      put(FailureCause.DELAY, TIME_OUT);
    }
  };

  private final List<String> answers;
  private final Map<FailureCause, Set<DocaCode>> codes = new EnumMap<>(FailureCause.class);

  /**
   * Creates a group. A group of a part of a protocol stands before the group of the rest.
   *
   * @param answers beginnings of the class names of its answers
   */
  FailedAnswers(String... answers) {
    this.answers = List.of(answers);
    fill();
  }

  abstract void fill();

  final void put(FailureCause cause, DocaCode first, DocaCode... others) {
    codes.put(cause, EnumSet.of(first, others));
  }

  /**
   * Returns the group of an answer.
   *
   * @param answer name of its class without the package
   * @throws IllegalArgumentException if the answer is in no group
   */
  static FailedAnswers of(String answer) {
    for (FailedAnswers group : values()) {
      if (group.answers.stream().anyMatch(answer::startsWith)) {
        return group;
      }
    }
    throw new IllegalArgumentException("no codes of failed answers of " + answer);
  }

  /** Returns whether one of the causes explains the code. */
  boolean explains(DocaCode code, Set<FailureCause> causes) {
    return causes.stream().anyMatch(cause -> codes.getOrDefault(cause, Set.of()).contains(code));
  }
}

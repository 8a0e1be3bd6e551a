package io.dpuactors.streams;

import io.dpuactors.engine.HeapTasks;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Function;
import org.apache.pekko.util.ByteString;

/**
 * The elements and results of one materialized flow: in the heap, or in the memory of the device.
 * Any thread.
 *
 * @param <I> elements
 * @param <O> results
 */
interface Elements<I, O> {
  /** No bytes before the element. */
  byte[] NO_HEAD = {};

  /** Makes the elements of each materialization. The executor runs the methods of the program. */
  interface Form<I, O> extends Function<Executor, Elements<I, O>> {}

  /** Returns the form of elements in the heap. */
  static Form<ByteString, ByteString> heap() {
    return executor -> new HeapElements();
  }

  /** Returns the form of elements in the memory of the device. */
  static <T, R> Form<T, R> inPlace(BufferAccess<T, R> access) {
    return executor -> new AccessedElements<>(access, executor);
  }

  /**
   * Runs the task of an element.
   *
   * @param head bytes of the input before the element
   * @param skip number of leading bytes of the output that do not belong to the result
   */
  CompletionStage<O> run(HeapTasks<?> tasks, byte[] head, I element, int skip);

  /** Runs the task whose input is an element, and whose output is the result. */
  default CompletionStage<O> run(HeapTasks<?> tasks, I element) {
    return run(tasks, NO_HEAD, element, 0);
  }

  /** Returns the bytes of an element for the statistics. */
  int inputBytes(I element);

  /** Returns the bytes of a result for the statistics. */
  int outputBytes(O result);

  /** Adds the bytes to the statistics that the other methods do not know. */
  StreamStatistics complete(StreamStatistics end);
}

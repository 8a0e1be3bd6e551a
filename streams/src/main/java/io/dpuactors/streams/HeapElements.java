package io.dpuactors.streams;

import io.dpuactors.engine.HeapTasks;
import java.util.concurrent.CompletionStage;
import org.apache.pekko.util.ByteString;

/** Elements in the heap: the tasks copy them. */
record HeapElements() implements Elements<ByteString, ByteString> {
  @Override
  public CompletionStage<ByteString> run(
      HeapTasks<?> tasks, byte[] head, ByteString element, int skip) {
    return tasks
        .run(ByteString.fromArrayUnsafe(head).concat(element))
        .thenApply(output -> output.drop(skip));
  }

  @Override
  public int inputBytes(ByteString element) {
    return element.size();
  }

  @Override
  public int outputBytes(ByteString result) {
    return result.size();
  }

  @Override
  public StreamStatistics complete(StreamStatistics end) {
    return end;
  }
}

package io.dpuactors.simulation;

import io.dpuactors.bridge.Buffer;
import io.dpuactors.bridge.TaskBatch;
import io.dpuactors.bridge.TaskBuffers;
import io.dpuactors.bridge.TaskLibrary;
import io.dpuactors.protocol.BatchReply;
import io.dpuactors.protocol.ShaProtocol;
import io.dpuactors.protocol.ShaProtocol.Algorithm;
import io.dpuactors.protocol.TaskReply;
import io.dpuactors.protocol.TaskReply.Completed;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.List;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.javadsl.ActorContext;

/** Digests, compared with the JDK's. */
@SuppressWarnings("ArrayRecordComponent") // no code compares requests
final class ShaModel implements TaskModel {
  private record Hash(byte[] input, Algorithm algorithm) implements Work {
    @Override
    public Object request(Buffer src, Buffer dst, long tag, ActorRef<TaskReply> replyTo) {
      return new ShaProtocol.Hash(algorithm, src, dst, tag, replyTo);
    }

    @Override
    public Object batchKey() {
      return algorithm;
    }

    @Override
    public Object batch(List<Work> works, TaskBatch batch, long tag, ActorRef<BatchReply> replyTo) {
      return new ShaProtocol.Batch(algorithm, batch, tag, replyTo);
    }

    @Override
    public boolean isRight(Completed reply, byte[] output) {
      return Arrays.equals(output, digest(algorithm).digest(input));
    }
  }

  static MessageDigest digest(Algorithm algorithm) {
    try {
      return MessageDigest.getInstance(algorithm.standardName());
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e); // each JDK has the three algorithms
    }
  }

  @Override
  public TaskLibrary library() {
    return TaskLibrary.SHA;
  }

  @Override
  public boolean sendOther(
      ActorContext<Object> client, Run run, TaskBuffers.Pair buffers, ActorRef<Object> context) {
    if (!run.chance(5)) {
      return false;
    }
    client.spawnAnonymous(HashInParts.create(run, buffers, context));
    return true;
  }

  @Override
  public Work draw(Run run) {
    return new Hash(TaskModel.text(run), run.oneOf(Algorithm.values()));
  }
}

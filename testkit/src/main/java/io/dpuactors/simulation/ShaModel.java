package io.dpuactors.simulation;

import io.dpuactors.bridge.Buffer;
import io.dpuactors.bridge.TaskLibrary;
import io.dpuactors.protocol.ShaProtocol;
import io.dpuactors.protocol.ShaProtocol.Algorithm;
import io.dpuactors.protocol.TaskReply;
import io.dpuactors.protocol.TaskReply.Completed;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import org.apache.pekko.actor.typed.ActorRef;

/** Digests, compared with the JDK's. */
@SuppressWarnings("ArrayRecordComponent") // no code compares requests
final class ShaModel implements TaskModel {
  private record Hash(byte[] input, Algorithm algorithm) implements Work {
    @Override
    public Object request(Buffer src, Buffer dst, long tag, ActorRef<TaskReply> replyTo) {
      return new ShaProtocol.Hash(algorithm, src, dst, tag, replyTo);
    }

    @Override
    public boolean isRight(Completed reply, byte[] output) {
      try {
        MessageDigest digest = MessageDigest.getInstance(algorithm.standardName());
        return Arrays.equals(output, digest.digest(input));
      } catch (NoSuchAlgorithmException e) {
        throw new IllegalStateException(e); // each JDK has the three algorithms
      }
    }
  }

  @Override
  public TaskLibrary library() {
    return TaskLibrary.SHA;
  }

  @Override
  public Work draw(Run run) {
    return new Hash(TaskModel.text(run), run.oneOf(Algorithm.values()));
  }
}

package io.dpuactors.apps.simulation;

import io.dpuactors.bridge.Buffer;
import io.dpuactors.protocol.CompressProtocol.Deflate;
import io.dpuactors.protocol.TaskReply;
import io.dpuactors.protocol.TaskReply.Completed;
import io.dpuactors.protocol.TaskReply.Failed;
import io.dpuactors.protocol.TaskReply.Ownership;
import io.dpuactors.service.RemoteCompress;
import io.dpuactors.service.RemoteCompress.Ready;
import io.dpuactors.simulation.SimulatedSystem;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;
import org.apache.pekko.actor.typed.ActorRef;

/** The blocks of a client of the compress service. Java's {@link Inflater} restores each result. */
final class CompressedBlocks {
  private static final int MAX_BLOCKS = 16;

  private final SimulatedSystem system;
  private final Ready ready;
  private final ActorRef<Object> remote;
  private final ActorRef<Object> me;
  private final Map<Long, byte[]> unanswered = new HashMap<>();
  private final int count;
  private int sent;
  private int damaged;
  private boolean hasFailed;

  CompressedBlocks(
      SimulatedSystem system, Ready ready, ActorRef<Object> remote, ActorRef<Object> me) {
    this.system = system;
    this.ready = ready;
    this.remote = remote;
    this.me = me;
    this.count = system.requests(system.draw(0, MAX_BLOCKS));
  }

  int damaged() {
    return damaged;
  }

  /** Sends as many blocks as there are buffers. */
  void begin() {
    while (sent < count && !hasFailed) {
      Buffer src = ready.sources().lease();
      Buffer dst = src == null ? null : ready.destinations().lease();
      if (src == null || dst == null) {
        if (src != null) {
          src.release();
        }
        break;
      }
      send(src, dst);
    }
    if (unanswered.isEmpty()) {
      remote.tell(RemoteCompress.Finish.INSTANCE);
    }
  }

  private void send(Buffer src, Buffer dst) {
    byte[] content = new byte[system.draw(1, src.capacity())];
    if (system.chance(50)) {
      system.fill(content);
    } else {
      Arrays.fill(content, (byte) sent);
    }
    src.bytes().clear().put(content);
    src.length(content.length);
    unanswered.put((long) sent, content);
    ready.context().tell(new Deflate(src, dst, sent++, me.narrow()));
  }

  void on(TaskReply reply) {
    byte[] content = unanswered.remove(reply.tag());
    if (content == null) {
      system.fail("block %d has two answers".formatted(reply.tag()));
      return;
    }
    if (reply instanceof Completed completed) {
      damaged += isIntact(completed, content) ? 0 : 1;
      release(completed.src(), completed.dst());
      begin();
    } else if (reply instanceof Failed failed) {
      hasFailed = true;
      if (failed.ownership() == Ownership.RETURNED) {
        release(failed.src(), failed.dst());
      }
    } else {
      system.fail("unexpected answer: " + reply);
    }
  }

  private static void release(Buffer src, Buffer dst) {
    src.release();
    dst.release();
  }

  private static boolean isIntact(Completed completed, byte[] content) {
    byte[] deflated = new byte[completed.dst().length()];
    completed.dst().bytes().get(0, deflated);
    Inflater inflater = new Inflater(/* nowrap= */ true);
    try {
      inflater.setInput(deflated);
      byte[] restored = new byte[content.length];
      return inflater.inflate(restored) == content.length && Arrays.equals(restored, content);
    } catch (DataFormatException e) {
      return false;
    } finally {
      inflater.end();
    }
  }

  /**
   * Checks the answers when nothing happens any more.
   *
   * @param isServed whether the stream of blocks has ended without a failure
   */
  void check(boolean isServed) {
    if (!unanswered.isEmpty()) {
      throw new AssertionError("%d blocks have no answer".formatted(unanswered.size()));
    }
    if (isServed && (sent < count || hasFailed)) {
      throw new AssertionError("served with %d of %d blocks".formatted(sent, count));
    }
  }
}

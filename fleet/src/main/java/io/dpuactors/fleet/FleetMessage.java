package io.dpuactors.fleet;

import io.dpuactors.bridge.TaskKind;
import java.util.Collections;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.util.ByteString;

/**
 * A message between members of a fleet. {@link FleetSerializer} encodes these records and no other
 * class. The constructors check all values, because peers send them.
 */
public sealed interface FleetMessage {
  /** Version of these messages. Nodes refuse jobs of another version. */
  int PROTOCOL = 3;

  /**
   * Largest input and output of a block, in bytes. With its header it fits into the frame of 2 MiB
   * of the large lane.
   */
  int MAX_BLOCK_BYTES = (2 << 20) - (64 << 10);

  /** Kinds of tasks that a fleet runs. For others the network costs more than the work. */
  Set<TaskKind> KINDS = Set.of(TaskKind.COMPRESS_DEFLATE, TaskKind.DECOMPRESS_DEFLATE);

  /**
   * A block of a job, without its content. Reliable delivery copies messages several times, so that
   * workers fetch the content. The client chooses the content when a worker fetches it first.
   *
   * @param job identity of the job: 32 hexadecimal digits
   * @param id identity of the block in its job; a content that is computed again has a new one
   * @param kind one of {@link #KINDS}
   * @param client receives {@link FetchBlock}, and one {@link BlockReply} per computation
   */
  record Block(String job, long id, TaskKind kind, ActorRef<OfBlock> client)
      implements FleetMessage {
    /** Checks the values. */
    public Block {
      checkJob(job);
      checkKind(kind);
    }
  }

  /** A message of a worker to the client of a {@link Block}. */
  sealed interface OfBlock extends FleetMessage {
    /** Returns the job of the block. */
    String job();

    /** Returns the identity of the block in its job. */
    long id();
  }

  /** Asks for the content of a block. The worker asks again if no answer arrives. */
  record FetchBlock(String job, long id, ActorRef<FetchReply> replyTo) implements OfBlock {
    /** Checks the values. */
    public FetchBlock {
      checkJob(job);
    }
  }

  /** The answer to {@link FetchBlock}. */
  sealed interface FetchReply extends FleetMessage {
    /** Returns the identity of the block in its job. */
    long id();
  }

  /**
   * A part of the content of a block, which is the input of its task. The parts follow one another;
   * a part without the one before belongs to a content of which a part was lost.
   *
   * @param offset bytes of the content before this part; 0: the first part
   * @param total bytes of the whole content, at most {@link #MAX_BLOCK_BYTES}
   */
  record BlockContent(long id, int offset, int total, ByteString content) implements FetchReply {
    /** Checks the values. */
    public BlockContent {
      if (offset < 0 || (long) offset + content.size() > total || total > MAX_BLOCK_BYTES) {
        throw new IllegalArgumentException(
            "a block of %d bytes, with %d at %d: the limit is %d"
                .formatted(total, content.size(), offset, MAX_BLOCK_BYTES));
      }
    }
  }

  /** No request waits for the block, or its request has a result. The worker computes nothing. */
  record BlockClosed(long id) implements FetchReply {}

  /** The result of a {@link Block}. */
  sealed interface BlockReply extends OfBlock {
    /** Returns the address of the node, {@code HOST:PORT}. */
    String node();
  }

  /**
   * The device has completed the task.
   *
   * @param crc32 CRC-32 of the uncompressed bytes, from the device
   * @param checksum Adler-32 of the uncompressed bytes, from the device
   * @param content output of the task
   */
  record BlockDone(String job, long id, String node, int crc32, int checksum, ByteString content)
      implements BlockReply {
    /** Checks the values. */
    public BlockDone {
      checkJob(job);
      checkContent(content);
    }
  }

  /**
   * The task has failed.
   *
   * @param code number of the DOCA error
   * @param operation operation of the DOCA error
   * @param about subject of the DOCA error
   */
  record BlockFailed(String job, long id, String node, int code, String operation, String about)
      implements BlockReply {
    /** Checks the values. */
    public BlockFailed {
      checkJob(job);
    }
  }

  /** A request to the gateway of a node. */
  sealed interface GatewayRequest extends FleetMessage, Gateway.Command {}

  /**
   * Asks a node to take blocks of a job.
   *
   * @param protocol version of the sender: {@link #PROTOCOL}
   * @param kind kind of the blocks
   * @param client receives the reply. The node serves the job until this actor ends
   */
  record Attach(int protocol, String job, TaskKind kind, ActorRef<AttachReply> client)
      implements GatewayRequest {
    /** Checks the values. */
    public Attach {
      checkJob(job);
      checkKind(kind);
    }
  }

  /** The answer to {@link Attach}. */
  sealed interface AttachReply extends FleetMessage {}

  /** The node asks for blocks of the job from now on. */
  record Attached(String job, TaskKind kind, String node) implements AttachReply {}

  /**
   * The node does not serve the job.
   *
   * @param code number of the DOCA error
   * @param why the reason, which the client prints
   */
  record AttachRefused(String job, TaskKind kind, String node, int code, String why)
      implements AttachReply {}

  /** Asks a node for its state. */
  record GetNodeStatus(ActorRef<NodeStatus> replyTo) implements GatewayRequest {}

  /**
   * State of a node.
   *
   * @param node address, {@code HOST:PORT}
   * @param library DOCA library of the engines
   * @param device PCI addresses of the devices
   * @param kinds short names of the kinds of tasks, separated by commas
   * @param jobs jobs that the node serves
   * @param busy blocks in work
   * @param blocks blocks that the node has completed since its start
   * @param failed blocks that have failed since its start
   * @param bytesIn input of the completed blocks
   * @param bytesOut output of the completed blocks
   * @param draining whether the node takes no more blocks
   * @param refused peers that the node has refused since its start, by reason; see docs/fleet.md
   */
  record NodeStatus(
      String node,
      String library,
      String device,
      String kinds,
      int jobs,
      int busy,
      long blocks,
      long failed,
      long bytesIn,
      long bytesOut,
      boolean draining,
      Map<String, Long> refused)
      implements FleetMessage {
    /** Sorts the reasons. */
    public NodeStatus {
      refused = Collections.unmodifiableMap(new TreeMap<>(refused));
    }
  }

  /** Lets a node finish the blocks that it has taken, leave the fleet and end. */
  record Drain(ActorRef<Drained> replyTo) implements GatewayRequest {}

  /** The node has finished its blocks and leaves the fleet. */
  record Drained(String node) implements FleetMessage {}

  /** Refuses an identity that is not 32 hexadecimal digits: it becomes a part of names. */
  private static void checkJob(String job) {
    if (!JobNames.VALID.matcher(job).matches()) {
      throw new IllegalArgumentException("the identity of a job must be 32 hexadecimal digits");
    }
  }

  private static void checkKind(TaskKind kind) {
    if (!KINDS.contains(kind)) {
      throw new IllegalArgumentException("a fleet runs no tasks of the kind " + kind);
    }
  }

  private static void checkContent(ByteString content) {
    if (content.size() > MAX_BLOCK_BYTES) {
      throw new IllegalArgumentException(
          "a block of %d bytes: the limit is %d".formatted(content.size(), MAX_BLOCK_BYTES));
    }
  }

  /** Holds the pattern, which an interface would export. */
  final class JobNames {
    private static final Pattern VALID = Pattern.compile("[0-9a-f]{32}");

    private JobNames() {}
  }
}

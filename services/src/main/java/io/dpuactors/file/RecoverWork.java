package io.dpuactors.file;

import io.dpuactors.erasure.Part;
import io.dpuactors.erasure.PartFormatException;
import io.dpuactors.erasure.PartSet;
import io.dpuactors.erasure.Stripes;
import io.dpuactors.file.FileFailure.Kind;
import io.dpuactors.protocol.ErasureCodingProtocol.Recover;
import io.dpuactors.protocol.TaskReply;
import io.dpuactors.protocol.TaskRequest;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.apache.pekko.actor.typed.ActorRef;
import org.jspecify.annotations.Nullable;

/**
 * Restores a file from its parts. A block of the pipeline is a stripe. A stripe whose data blocks
 * are sound needs no device.
 */
final class RecoverWork extends FileWork {
  private final FileJob.Recover job;
  private final RecoveryMatrices matrices;
  private @Nullable PartSet parts;

  RecoverWork(FileJob.Recover job, PartialFiles partials, Matrices matrices) {
    super(job, partials);
    this.job = job;
    this.matrices = new RecoveryMatrices(matrices);
  }

  /** Opens the parts in a folder, which are enough. */
  static PartSet openParts(Path folder) throws FileException {
    try {
      PartSet set = PartSet.open(folder);
      try {
        set.requireEnough();
        return set;
      } catch (IOException e) {
        set.close();
        throw e;
      }
    } catch (PartFormatException e) {
      throw FileException.damaged(folder, e);
    } catch (IOException e) {
      throw FileException.input(folder, e);
    }
  }

  /** The first part represents the input: the output gets its permissions. */
  @Override
  InputFile openInput() throws FileException {
    PartSet set = openParts(job.input());
    parts = set;
    try {
      return new InputFile(
          job.input(),
          set.first().channel(),
          set.header().fileBytes(),
          Files.getPosixFilePermissions(set.first().path()));
    } catch (IOException e) {
      throw FileException.input(job.input(), e);
    }
  }

  @Override
  public void open() throws FileException {
    super.open();
    Stripes stripes = parts().header().stripes();
    matrices.open(stripes.data(), stripes.parity());
  }

  private PartSet parts() {
    return Objects.requireNonNull(parts, "open opens them");
  }

  @Override
  public Found read(Block block) throws FileException {
    if (block.number == parts().header().blocks()) {
      return end();
    }
    Stripes stripes = parts().header().stripes();
    block.offset = bytesRead();
    block.contentBytes = stripes.contentBytes(inputBytes(), block.number);
    List<Integer> lost = readSound(block);
    input().count(block.contentBytes);
    if (lost.isEmpty()) {
      return Found.READY_BLOCK;
    }
    matrices.use(block.number, lost);
    return Found.BLOCK;
  }

  /**
   * Reads the first sound blocks of a stripe, as many as there are data parts.
   *
   * @return the parts before the last sound block whose blocks are not sound
   */
  private List<Integer> readSound(Block block) throws FileException {
    Stripes stripes = parts().header().stripes();
    int bytes = parts().header().blockBytes(block.number);
    ByteBuffer into = block.src().bytes().clear().limit(stripes.data() * bytes);
    List<Integer> lost = new ArrayList<>();
    int sound = 0;
    for (int i = 0; i < stripes.parts() && sound < stripes.data(); i++) {
      if (readBlock(i, block.number, into.slice(sound * bytes, bytes))) {
        sound++;
      } else {
        lost.add(i);
      }
    }
    if (sound < stripes.data()) {
      throw new FileException(
          FileFailure.atBlock(
              Kind.INPUT,
              job.input(),
              block.number,
              "%d of %d blocks are sound, %d are needed"
                  .formatted(sound, stripes.parts(), stripes.data())));
    }
    block.src().length(into.limit());
    return lost;
  }

  private boolean readBlock(int index, long stripe, ByteBuffer into) throws FileException {
    Part part = parts().part(index);
    try {
      return part != null && part.read(stripe, into);
    } catch (IOException e) {
      throw input().failure(e);
    }
  }

  @Override
  public TaskRequest request(Block block, ActorRef<TaskReply> replyTo) {
    return new Recover(matrices.of(block.number), block.src(), block.dst(), block.number, replyTo);
  }

  @Override
  public boolean completed(Block block, TaskReply.Completed reply) throws FileException {
    int bytes = parts().header().blockBytes(block.number);
    BlockCheck.requireBytes(job.input(), block, matrices.of(block.number).outputs() * bytes);
    return true;
  }

  @Override
  public boolean writesSource() {
    return true;
  }

  /** Writes the data blocks in order, from the parts and from the device. */
  @Override
  public void write(Block block) throws FileException {
    int bytes = parts().header().blockBytes(block.number);
    List<Integer> lost = matrices.release(block.number);
    ByteBuffer sound = BlockCheck.content(block.src());
    ByteBuffer restored = BlockCheck.content(block.dst());
    List<ByteBuffer> blocks = new ArrayList<>();
    int rest = block.contentBytes;
    for (int i = 0; rest > 0; i++) {
      ByteBuffer from = lost.contains(i) ? restored : sound;
      int part = Math.min(bytes, rest);
      blocks.add(from.slice(from.position(), part));
      from.position(from.position() + bytes);
      rest -= part;
    }
    append(blocks.toArray(ByteBuffer[]::new));
  }

  @Override
  public void finish() throws FileException {
    super.finish();
    closeParts();
  }

  @Override
  public Optional<FileFailure> discard() {
    Optional<FileFailure> failure = super.discard();
    try {
      closeParts();
    } catch (FileException e) {
      return Optional.of(failure.map(first -> first.andThen(e.failure())).orElse(e.failure()));
    }
    return failure;
  }

  private void closeParts() throws FileException {
    try {
      if (parts != null) {
        parts.close();
      }
    } catch (IOException e) {
      throw FileException.input(job.input(), e);
    }
  }
}

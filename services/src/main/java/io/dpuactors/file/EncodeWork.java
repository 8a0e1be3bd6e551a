package io.dpuactors.file;

import io.dpuactors.bridge.Buffer;
import io.dpuactors.erasure.Stripes;
import io.dpuactors.protocol.ErasureCodingProtocol.Create;
import io.dpuactors.protocol.ErasureCodingProtocol.Definition;
import io.dpuactors.protocol.ErasureCodingProtocol.Matrix;
import io.dpuactors.protocol.TaskReply;
import io.dpuactors.protocol.TaskRequest;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.attribute.PosixFilePermission;
import java.util.Objects;
import java.util.Set;
import org.apache.pekko.actor.typed.ActorRef;
import org.jspecify.annotations.Nullable;

/** Encodes any file to parts. A block of the pipeline is a stripe. */
final class EncodeWork extends FileWork {
  private final FileJob.Encode job;
  private final Stripes stripes;
  private final Matrices matrices;
  private @Nullable Matrix matrix;
  private @Nullable PartOutputs outputs;
  private boolean isLastRead;
  private boolean isAnyShort;

  EncodeWork(FileJob.Encode job, PartialFiles partials, Matrices matrices) {
    super(job, partials);
    this.job = job;
    this.stripes = job.stripes();
    this.matrices = matrices;
  }

  @Override
  public void open() throws FileException {
    super.open();
    matrix = matrices.create(new Definition.Cauchy(stripes.data(), stripes.parity()));
  }

  @Override
  void openOutput(PartialFiles partials) throws FileException {
    outputs = PartOutputs.open(partials, job);
  }

  /** Reads a stripe. A shorter one is the last, even if the file has grown since. */
  @Override
  public Found read(Block block) throws FileException {
    if (isLastRead) {
      return end();
    }
    Found found = readContent(block, stripes.stripeBytes(), false);
    if (found == Found.BLOCK) {
      Buffer src = block.src();
      requireRoom();
      isAnyShort = block.contentBytes < stripes.stripeBytes();
      isLastRead = isAnyShort && block.contentBytes < src.capacity();
      src.length(stripes.data() * stripes.blockBytes(block.contentBytes));
      for (ByteBuffer rest = BlockCheck.content(src).position(block.contentBytes);
          rest.hasRemaining(); ) {
        rest.put((byte) 0);
      }
    }
    return found;
  }

  /** A file that grew may fill a buffer that is smaller than a stripe. */
  private void requireRoom() throws FileException {
    if (isAnyShort) {
      throw FileException.input(job.input(), new IOException("it has grown"));
    }
  }

  @Override
  public TaskRequest request(Block block, ActorRef<TaskReply> replyTo) {
    return new Create(
        Objects.requireNonNull(matrix, "open creates it"),
        block.src(),
        block.dst(),
        block.number,
        replyTo);
  }

  @Override
  public boolean completed(Block block, TaskReply.Completed reply) throws FileException {
    BlockCheck.requireBytes(
        job.input(), block, stripes.parity() * stripes.blockBytes(block.contentBytes));
    return true;
  }

  @Override
  public boolean writesSource() {
    return true;
  }

  @Override
  public void write(Block block) throws FileException {
    int bytes = stripes.blockBytes(block.contentBytes);
    try {
      for (int i = 0; i < stripes.parts(); i++) {
        boolean isData = i < stripes.data();
        ByteBuffer from = BlockCheck.content(isData ? block.src() : block.dst());
        int place = isData ? i : i - stripes.data();
        countWritten(opened().write(i, block.number, from.slice(place * bytes, bytes)));
      }
    } catch (IOException e) {
      throw outputFailed(e);
    }
  }

  private PartOutputs opened() throws IOException {
    if (outputs == null) {
      throw new IOException("the parts are closed");
    }
    return outputs;
  }

  @Override
  void publish(Set<PosixFilePermission> permissions) throws IOException {
    opened().publish(bytesRead(), permissions);
  }

  @Override
  void discardOutput() throws IOException {
    if (outputs != null) {
      outputs.discard();
    }
  }
}

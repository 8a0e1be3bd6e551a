package io.dpuactors.file;

import io.dpuactors.erasure.PartHeader;
import io.dpuactors.erasure.Stripes;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.stream.IntStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The parts of a file that is encoded. The parts get their names when all parts are complete and on
 * disk: all names, or none. Thread: the job's.
 */
final class PartOutputs {
  private static final Logger LOG = LoggerFactory.getLogger(PartOutputs.class);

  /** Number of parts that a message names. */
  private static final int NAMED = 8;

  private final Path folder;
  private final boolean isNewFolder;
  private final List<PartialFile> parts = new ArrayList<>();
  private final PartHeader draft;
  private boolean isComplete;
  private final ByteBuffer crc =
      ByteBuffer.allocateDirect(PartHeader.CRC_BYTES).order(ByteOrder.LITTLE_ENDIAN);

  private PartOutputs(Path folder, boolean isNewFolder, PartHeader draft) {
    this.folder = folder;
    this.isNewFolder = isNewFolder;
    this.draft = draft;
  }

  /** Opens a partial file for each part, and creates the folder if it is absent. */
  static PartOutputs open(PartialFiles partials, FileJob.Encode job) throws FileException {
    PartOutputs outputs = null;
    Path current = job.output();
    try {
      outputs =
          new PartOutputs(
              job.output(),
              create(job.output()),
              new PartHeader(UUID.randomUUID(), job.stripes(), 0, 0));
      for (int i = 0; i < job.stripes().parts(); i++) {
        current = outputs.path(i);
        PartialFile part = partials.begin(current, job.replace());
        outputs.parts.add(part);
        part.channel().position(PartHeader.BYTES);
      }
      current = job.output();
      outputs.checkOthers();
      return outputs;
    } catch (IOException e) {
      FileFailure failure = FileException.output(current, 0, e).failure();
      throw new FileException(outputs == null ? failure : outputs.discardAfter(failure));
    }
  }

  /** Deletes all parts. Returns the failure to report. */
  FileFailure discardAfter(FileFailure failure) {
    try {
      discard();
      return failure;
    } catch (IOException e) {
      return failure.andThen(FileException.output(folder, 0, e).failure());
    }
  }

  /** Creates a folder. Returns false if it exists. */
  private static boolean create(Path folder) throws IOException {
    checkFolder(folder);
    if (Files.exists(folder)) {
      return false;
    }
    Files.createDirectory(folder);
    return true;
  }

  /** Refuses a file in place of the folder. */
  static void checkFolder(Path folder) throws FileSystemException {
    if (Files.exists(folder) && !Files.isDirectory(folder)) {
      throw new FileSystemException(folder.toString(), null, "is not a directory");
    }
  }

  /** Refuses parts that would stay beside fewer new ones: they may make the folder unreadable. */
  private void checkOthers() throws FileSystemException {
    List<String> left =
        IntStream.range(draft.stripes().parts(), Stripes.MAX_PARTS)
            .mapToObj(this::path)
            .filter(Files::isRegularFile)
            .map(path -> String.valueOf(path.getFileName()))
            .toList();
    if (left.isEmpty()) {
      return;
    }
    int more = left.size() - NAMED;
    String names = String.join(", ", left.subList(0, Math.min(NAMED, left.size())));
    throw new FileSystemException(
        folder.toString(),
        null,
        "%s%s would stay beside the new parts (delete them, or name another folder)"
            .formatted(names, more > 0 ? " and %d more".formatted(more) : ""));
  }

  private Path path(int index) {
    return folder.resolve("part-%03d.ec".formatted(index));
  }

  /** Appends the block of a stripe to a part. Returns the number of written bytes. */
  long write(int index, long stripe, ByteBuffer block) throws IOException {
    crc.clear().putInt(draft.withIndex(index).blockCrc32c(stripe, block)).flip();
    PartialFile part = parts.get(index);
    ByteBuffer[] both = {block, crc};
    long bytes = (long) block.remaining() + crc.remaining();
    while (crc.hasRemaining()) {
      part.channel().write(both);
    }
    part.wrote(bytes);
    return bytes;
  }

  /** Writes the headers and publishes all parts. A failure changes no existing part. */
  void publish(long fileBytes, Set<PosixFilePermission> permissions) throws IOException {
    PartHeader header = new PartHeader(draft.file(), draft.stripes(), 0, fileBytes);
    for (int i = 0; i < parts.size(); i++) {
      ByteBuffer bytes = ByteBuffer.allocate(PartHeader.BYTES);
      header.withIndex(i).put(bytes);
      FileChannel channel = parts.get(i).channel();
      for (bytes.flip(); bytes.hasRemaining(); ) {
        channel.write(bytes, bytes.position());
      }
    }
    PartialFile.publish(parts, permissions);
    isComplete = true;
  }

  /** Deletes all parts of an unfinished job, and the folder if the job created it. Idempotent. */
  void discard() throws IOException {
    if (isComplete) {
      return;
    }
    for (PartialFile part : parts) {
      part.discard();
    }
    if (isNewFolder) {
      deleteFolder();
    }
  }

  private void deleteFolder() throws IOException {
    try {
      Files.deleteIfExists(folder);
    } catch (DirectoryNotEmptyException e) {
      LOG.debug("{}: another program uses the new folder", folder, e);
    }
  }
}

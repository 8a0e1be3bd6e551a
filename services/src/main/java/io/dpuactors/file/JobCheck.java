package io.dpuactors.file;

import io.dpuactors.file.FileFailure.Kind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Optional;

/** Checks the files of a job, without writing. */
final class JobCheck {
  private JobCheck() {}

  /** Returns why {@link FileWork#open} would fail; empty: no obstacle found. */
  static Optional<FileFailure> obstacle(FileJob job) {
    try {
      checkInput(job);
      outputIsOther(job);
      if (job instanceof FileJob.Encode) {
        PartOutputs.checkFolder(job.output());
      } else if (!FileJob.isStream(job.output())) {
        OutputTarget.resolve(job.output(), job.replace());
      }
      return Optional.empty();
    } catch (FileException e) {
      return Optional.of(e.failure());
    } catch (IOException e) {
      return Optional.of(FileException.output(job.output(), 0, e).failure());
    }
  }

  private static void checkInput(FileJob job) throws IOException, FileException {
    if (job instanceof FileJob.Recover) {
      RecoverWork.openParts(job.input()).close();
    } else if (!FileJob.isStream(job.input())) {
      InputFile.open(job.input()).channel().close();
    }
  }

  /** Fails a job whose output is its input. */
  static void outputIsOther(FileJob job) throws IOException, FileException {
    boolean streams = FileJob.isStream(job.input()) || FileJob.isStream(job.output());
    if (!streams && isSame(job.input(), job.output())) {
      throw new FileException(
          FileFailure.of(Kind.OUTPUT, job.output(), "is the input as well as the output"));
    }
  }

  private static boolean isSame(Path input, Path output) throws IOException {
    try {
      return Files.isSameFile(input, output);
    } catch (NoSuchFileException e) {
      return false;
    }
  }
}

package io.dpuactors.file;

import io.dpuactors.bridge.device.DeviceInfo;
import java.util.List;
import java.util.function.Function;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.Behaviors;

/**
 * Creates the actor that fits a job.
 *
 * @param partials holds the outputs until they are complete
 * @param listener receives the events of the file
 * @param growth opens larger buffers for a stream
 */
record FileActors(PartialFiles partials, ActorRef<FileEvent> listener, FilePipeline.Growth growth) {

  /**
   * Creates the behavior for one job.
   *
   * @param workers contexts of the job's kind, with buffers
   * @param device the device of the contexts
   */
  Behavior<FileCommand> create(FileJob job, List<BlockWorker> workers, DeviceInfo device) {
    if (job instanceof FileJob.Compress compress && compress.encryption().isPresent()) {
      BlockWork work = new CompressEncryptWork(compress, compress.encryption().get(), partials);
      return FilePipeline.create(work, workers, listener);
    }
    if (job instanceof FileJob.Compress compress) {
      return FileCompression.create(compress, workers, partials, listener);
    }
    if (job instanceof FileJob.Encode encode) {
      return coding(workers, matrices -> new EncodeWork(encode, partials, matrices));
    }
    if (job instanceof FileJob.Recover recover) {
      return coding(workers, matrices -> new RecoverWork(recover, partials, matrices));
    }
    if (job instanceof FileJob.Copy copy) {
      return FilePipeline.create(new CopyWork(copy, partials), workers, listener);
    }
    if (job instanceof FileJob.Encrypt encrypt) {
      return FilePipeline.create(new EncryptWork(encrypt, partials), workers, listener);
    }
    return job instanceof FileJob.Decrypt
        ? FilePipeline.create(new DecryptWork(job, partials), workers, listener, growth)
        : decompression((FileJob.Decompress) job, workers, device);
  }

  /** Creates the pipeline of a work that needs matrices of the only context. */
  private Behavior<FileCommand> coding(
      List<BlockWorker> workers, Function<Matrices, BlockWork> work) {
    return Behaviors.setup(
        actor ->
            FilePipeline.create(
                work.apply(Matrices.of(actor, workers.get(0).context())), workers, listener));
  }

  private Behavior<FileCommand> decompression(
      FileJob.Decompress job, List<BlockWorker> workers, DeviceInfo device) {
    if (job.encryption().isPresent()) {
      BlockWork work = new DecryptDecompressWork(job, partials);
      return FilePipeline.create(work, workers, listener, growth);
    }
    return FileJob.isStream(job.input())
        ? FilePipeline.create(
            new DecompressWork(job, partials, PoolShape.limits(job, device)),
            workers,
            listener,
            growth)
        : FileDecompression.create(job, workers, partials, listener);
  }
}

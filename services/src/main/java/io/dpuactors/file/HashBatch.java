package io.dpuactors.file;

import io.dpuactors.bridge.DocaLibrary;
import io.dpuactors.bridge.TaskKind;
import io.dpuactors.bridge.TaskLibrary;
import io.dpuactors.bridge.TaskLimits;
import io.dpuactors.file.FileFailure.Kind;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.DispatcherSelector;
import org.apache.pekko.actor.typed.Terminated;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.actor.typed.javadsl.Receive;
import org.jspecify.annotations.Nullable;

/**
 * Hashes a list of files, several at a time, then stops. The batch is the parent and supervisor of
 * these actors:
 *
 * <pre>
 *   HashBatch
 *     engine                    one engine with one SHA context and its registered memory
 *     hash-0, hash-1 ...        the files of this moment
 * </pre>
 *
 * <p>The batch reports the results in the order of the files. A failed file does not stop the
 * batch.
 */
public final class HashBatch extends DeviceBatch {
  /** Size of the parts of a file in bytes, if the device allows it. */
  private static final int PART_BYTES = 1 << 20;

  private static final int DIGEST_ROOM = 64;
  private static final Set<TaskKind> KINDS = Set.of(TaskKind.SHA_HASH, TaskKind.SHA_PARTIAL_HASH);

  private final HashSettings settings;
  private final PartialFiles partials;
  private final ActorRef<HashEvent> results;
  private final Map<Integer, ActorRef<HashMessage>> running = new HashMap<>();
  private final Map<Integer, HashEvent> early = new HashMap<>();
  private int started;
  private int reported;
  private BatchMessage.@Nullable HashesReady ready;

  private HashBatch(
      ActorContext<FileBatch.Command> context,
      HashSettings settings,
      PartialFiles partials,
      ActorRef<? super BatchEvent> listener) {
    super(context, listener);
    this.settings = settings;
    this.partials = partials;
    this.results = context.messageAdapter(HashEvent.class, BatchMessage.OfHash::new);
  }

  /**
   * Creates the actor for a list of files. Spawn it on {@code DispatcherSelector.blocking()}.
   *
   * @param settings files and options
   * @param partials closes standard input when a signal ends the program
   * @param listener receives all events. {@link BatchEvent.Ended} is the last; the actor then stops
   */
  public static Behavior<FileBatch.Command> create(
      HashSettings settings, PartialFiles partials, ActorRef<? super BatchEvent> listener) {
    return Behaviors.setup(context -> new HashBatch(context, settings, partials, listener));
  }

  @Override
  public Receive<FileBatch.Command> createReceive() {
    return receiving()
        .onMessage(BatchMessage.HashesReady.class, this::onReady)
        .onMessage(BatchMessage.OfHash.class, m -> onEvent(m.event()))
        .onMessage(BatchMessage.HashEnded.class, m -> onFileEnded(m.index()))
        .onSignal(Terminated.class, this::onEnginesEnded)
        .build();
  }

  @Override
  DeviceChoice choose(DocaLibrary library) throws FileException {
    return DeviceChoice.of(library, settings.device(), KINDS, settings.parallel());
  }

  @Override
  FileEngines spawnEngines() {
    return FileEngines.spawn(getContext(), 1);
  }

  @Override
  CompletionStage<BatchMessage.HashesReady> open(FileEngines engines, DeviceChoice device) {
    PoolShape shape = new PoolShape(2 * settings.parallel(), partBytes(device), DIGEST_ROOM);
    return engines
        .openContext(device.options(KINDS, settings.parallel()).get(0))
        .thenCompose(
            sha ->
                engines
                    .openBuffers(sha, shape)
                    .thenApply(buffers -> new BatchMessage.HashesReady(sha, buffers)));
  }

  private static int partBytes(DeviceChoice chosen) {
    TaskLimits limits = chosen.device().capabilities(TaskLibrary.SHA).of(TaskKind.SHA_PARTIAL_HASH);
    return (int) Math.min(PART_BYTES, DeviceChoice.bufferLimit(limits));
  }

  private Behavior<FileBatch.Command> onReady(BatchMessage.HashesReady opened) {
    if (isStopping()) {
      return this;
    }
    ready = opened;
    reportOpened(1);
    return proceed();
  }

  /** Reports the results whose turn it is, and starts files while fewer than the limit run. */
  private Behavior<FileBatch.Command> proceed() {
    for (HashEvent next = early.remove(reported); next != null; next = early.remove(reported)) {
      listener.tell(next);
      reported++;
    }
    int count = settings.files().size();
    while (!isStopping() && running.size() < settings.parallel() && started < count) {
      start(started++);
    }
    if (isStopping()) {
      return running.isEmpty() ? stopEngines() : this;
    }
    return reported == count ? stop(null) : this;
  }

  private void start(int index) {
    BatchMessage.HashesReady opened = known(ready);
    FileHash.Job job = new FileHash.Job(index, settings.files().get(index), settings.algorithm());
    ActorRef<HashMessage> child =
        getContext()
            .spawn(
                FileHash.create(
                    job,
                    partials,
                    opened.context().unsafeUpcast(),
                    opened.buffers().parts().get(0),
                    results),
                "hash-" + index,
                DispatcherSelector.blocking());
    getContext().watchWith(child, new BatchMessage.HashEnded(index));
    running.put(index, child);
  }

  private Behavior<FileBatch.Command> onEvent(HashEvent event) {
    if (!(event instanceof HashEvent.Progress)) {
      running.remove(event.index());
      early.put(event.index(), event);
      return proceed();
    }
    if (event.index() == reported) {
      listener.tell(event);
    }
    return this;
  }

  /** Fails a file whose actor stops without a result, which is a bug of the actor. */
  private Behavior<FileBatch.Command> onFileEnded(int index) {
    if (running.remove(index) == null) {
      return this;
    }
    FileFailure why =
        FileFailure.of(
            Kind.INTERNAL,
            settings.files().get(index),
            "the actor of the file has stopped without a result");
    early.put(index, new HashEvent.Failed(index, why));
    return proceed();
  }

  @Override
  boolean cancelFiles() {
    running.values().forEach(file -> file.tell(HashMessage.Step.CANCEL));
    return running.isEmpty();
  }
}

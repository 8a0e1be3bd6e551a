package io.dpuactors.file;

import io.dpuactors.bridge.DocaLibrary;
import io.dpuactors.bridge.LibraryChoice;
import io.dpuactors.bridge.TaskKind;
import io.dpuactors.bridge.TaskLibrary;
import io.dpuactors.bridge.TaskLimits;
import io.dpuactors.file.FileFailure.Kind;
import io.dpuactors.protocol.Stopped;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.DispatcherSelector;
import org.apache.pekko.actor.typed.Terminated;
import org.apache.pekko.actor.typed.javadsl.AbstractBehavior;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.actor.typed.javadsl.Receive;
import org.jspecify.annotations.Nullable;

/**
 * Hashes a list of files, several at a time, then stops. It is the parent and supervisor of these
 * actors:
 *
 * <pre>
 *   HashBatch
 *     engine                    one engine with one SHA context and its registered memory
 *     hash-0, hash-1 ...        the files of this moment
 * </pre>
 *
 * <p>It reports the results in the order of the files. A failed file does not stop the batch.
 */
public final class HashBatch extends AbstractBehavior<FileBatch.Command> {
  /** Size of the parts of a file in bytes, if the device allows it. */
  private static final int PART_BYTES = 1 << 20;

  private static final int DIGEST_ROOM = 64;
  private static final Set<TaskKind> KINDS = Set.of(TaskKind.SHA_HASH, TaskKind.SHA_PARTIAL_HASH);

  private final HashSettings settings;
  private final PartialFiles partials;
  private final ActorRef<? super BatchEvent> listener;
  private final ActorRef<HashEvent> results;
  private final Map<Integer, ActorRef<HashMessage>> running = new HashMap<>();
  private final Map<Integer, HashEvent> early = new HashMap<>();
  private int started;
  private int reported;
  private boolean stopping;
  private @Nullable DeviceChoice choice;
  private @Nullable FileEngines engines;
  private BatchMessage.@Nullable HashesReady ready;
  private @Nullable FileFailure failure;

  private HashBatch(
      ActorContext<FileBatch.Command> context,
      HashSettings settings,
      PartialFiles partials,
      ActorRef<? super BatchEvent> listener) {
    super(context);
    this.settings = settings;
    this.partials = partials;
    this.listener = listener;
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
    return Behaviors.setup(
        context -> {
          context.getSelf().tell(BatchMessage.Begin.INSTANCE);
          return new HashBatch(context, settings, partials, listener);
        });
  }

  @Override
  public Receive<FileBatch.Command> createReceive() {
    return newReceiveBuilder()
        .onMessage(BatchMessage.Begin.class, m -> onBegin())
        .onMessage(BatchMessage.HashesReady.class, this::onReady)
        .onMessage(BatchMessage.OfHash.class, m -> onEvent(m.event()))
        .onMessage(BatchMessage.HashEnded.class, m -> onFileEnded(m.index()))
        .onMessage(BatchMessage.Broken.class, m -> stop(m.failure()))
        .onMessage(BatchMessage.EnginesStopped.class, m -> onEnginesStopped(m.answer()))
        .onMessage(
            FileBatch.Cancel.class, m -> stop(FileFailure.of(Kind.CANCELLED, null, "cancelled")))
        .onSignal(Terminated.class, s -> onEngineEnded(s))
        .build();
  }

  private Behavior<FileBatch.Command> onBegin() {
    try {
      open();
      return this;
    } catch (FileException | RuntimeException | LinkageError e) {
      return stop(FileEngines.failure(e));
    }
  }

  private void open() throws FileException {
    String wanted = getContext().getSystem().settings().config().getString("dpu.library");
    DeviceChoice chosen =
        DeviceChoice.of(
            DocaLibrary.load(LibraryChoice.parse(wanted)),
            settings.device(),
            KINDS,
            settings.parallel());
    choice = chosen;
    FileEngines spawned = FileEngines.spawn(getContext(), 1);
    engines = spawned;
    PoolShape shape = new PoolShape(2 * settings.parallel(), partBytes(chosen), DIGEST_ROOM);
    getContext()
        .pipeToSelf(
            spawned
                .openContext(chosen.options(KINDS, settings.parallel()).get(0))
                .thenCompose(
                    sha ->
                        spawned
                            .openBuffers(sha, shape)
                            .thenApply(buffers -> new BatchMessage.HashesReady(sha, buffers))),
            (opened, e) -> e == null ? opened : new BatchMessage.Broken(FileEngines.failure(e)));
  }

  private static int partBytes(DeviceChoice chosen) {
    TaskLimits limits = chosen.device().capabilities(TaskLibrary.SHA).of(TaskKind.SHA_PARTIAL_HASH);
    return (int) Math.min(PART_BYTES, DeviceChoice.bufferLimit(limits));
  }

  private Behavior<FileBatch.Command> onReady(BatchMessage.HashesReady opened) {
    if (stopping) {
      return this;
    }
    ready = opened;
    DeviceChoice chosen = known(choice);
    listener.tell(
        new BatchEvent.Opened(chosen.library(), chosen.version(), chosen.device().pciAddress(), 1));
    return proceed();
  }

  /** Reports the results whose turn it is, and starts files while fewer than the limit run. */
  private Behavior<FileBatch.Command> proceed() {
    for (HashEvent next = early.remove(reported); next != null; next = early.remove(reported)) {
      listener.tell(next);
      reported++;
    }
    int count = settings.files().size();
    while (!stopping && running.size() < settings.parallel() && started < count) {
      start(started++);
    }
    if (stopping) {
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

  private Behavior<FileBatch.Command> onEngineEnded(Terminated ended) {
    engines = null;
    return stop(FileEngines.ended(ended));
  }

  /** Cancels the files before it stops the engine: they have leases of its memory. */
  private Behavior<FileBatch.Command> stop(@Nullable FileFailure why) {
    if (stopping) {
      return this;
    }
    stopping = true;
    failure = why;
    running.values().forEach(file -> file.tell(HashMessage.Step.CANCEL));
    return running.isEmpty() ? stopEngines() : this;
  }

  private Behavior<FileBatch.Command> stopEngines() {
    if (engines == null) {
      return onEnginesStopped(Stopped.CLEAN);
    }
    getContext().pipeToSelf(engines.stop(), (answer, e) -> new BatchMessage.EnginesStopped(answer));
    return this;
  }

  private Behavior<FileBatch.Command> onEnginesStopped(Stopped answer) {
    listener.tell(
        new BatchEvent.Ended(answer.clean(), answer.census(), Optional.ofNullable(failure)));
    return Behaviors.stopped();
  }

  private static <T> T known(@Nullable T value) {
    if (value == null) {
      throw new IllegalStateException("used before it was opened");
    }
    return value;
  }
}

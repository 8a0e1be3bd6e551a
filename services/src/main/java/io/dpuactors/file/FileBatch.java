package io.dpuactors.file;

import io.dpuactors.bridge.DocaLibrary;
import io.dpuactors.file.FileFailure.Kind;
import io.dpuactors.protocol.EngineProtocol;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.DispatcherSelector;
import org.apache.pekko.actor.typed.Terminated;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.actor.typed.javadsl.Receive;
import org.jspecify.annotations.Nullable;

/**
 * Processes a list of files, then stops. The batch is the parent and supervisor of these actors:
 *
 * <pre>
 *   FileBatch
 *     engine                    the group of engines, with one context and its registered memory
 *     file-0, file-1 ...        the current file, through all engines
 * </pre>
 *
 * <p>The batch processes the files in order. A failed file does not stop the batch. A failed engine
 * fails the current file; the last engine stops the batch.
 */
public final class FileBatch extends DeviceBatch {
  /** Command for the batch. */
  public sealed interface Command permits Cancel, BatchMessage {}

  /** Cancels the current file and all later ones, then stops the engines and the batch. */
  public enum Cancel implements Command {
    /** The only instance. */
    INSTANCE
  }

  private final BatchSettings settings;
  private final Function<ActorContext<?>, FileEngines> spawn;
  private final FileActors files;
  private int current = -1;
  private @Nullable BatchMemory memory;
  private @Nullable ActorRef<FileCommand> file;

  private FileBatch(
      ActorContext<Command> context,
      BatchSettings settings,
      Function<ActorContext<?>, FileEngines> spawn,
      PartialFiles partials,
      ActorRef<? super BatchEvent> listener) {
    super(context, listener);
    this.settings = settings;
    this.spawn = spawn;
    ActorRef<Command> self = context.getSelf();
    this.files =
        new FileActors(
            partials,
            context.messageAdapter(FileEvent.class, BatchMessage.OfFile::new),
            (wanted, replyTo) -> self.tell(new BatchMessage.Grow(wanted, replyTo)));
  }

  /**
   * Creates the actor for a list of files. Spawn it on {@code DispatcherSelector.blocking()}.
   *
   * @param settings jobs and options
   * @param partials holds the outputs until they are complete
   * @param listener receives all events. {@link BatchEvent.Ended} is the last; the actor then stops
   */
  public static Behavior<Command> create(
      BatchSettings settings, PartialFiles partials, ActorRef<? super BatchEvent> listener) {
    return create(
        settings, context -> FileEngines.spawn(context, settings.engines()), partials, listener);
  }

  /**
   * Creates the actor for a list of files, as {@link #create(BatchSettings, PartialFiles,
   * ActorRef)} does.
   *
   * @param engines an actor in the place of an engine: it opens contexts and buffers
   */
  public static Behavior<Command> create(
      BatchSettings settings,
      Behavior<EngineProtocol.Command> engines,
      PartialFiles partials,
      ActorRef<? super BatchEvent> listener) {
    return create(settings, context -> FileEngines.spawn(context, engines), partials, listener);
  }

  private static Behavior<Command> create(
      BatchSettings settings,
      Function<ActorContext<?>, FileEngines> spawn,
      PartialFiles partials,
      ActorRef<? super BatchEvent> listener) {
    return Behaviors.setup(context -> new FileBatch(context, settings, spawn, partials, listener));
  }

  @Override
  public Receive<Command> createReceive() {
    return receiving()
        .onMessage(BatchMessage.ContextsOpened.class, this::onContextsOpened)
        .onMessage(BatchMessage.Next.class, m -> onNext())
        .onMessage(BatchMessage.PoolsOpened.class, this::onPoolsOpened)
        .onMessage(
            BatchMessage.PoolsFailed.class, m -> isStopping() ? this : fileFailed(m.failure()))
        .onMessage(BatchMessage.Grow.class, this::onGrow)
        .onMessage(BatchMessage.Grown.class, this::onGrown)
        .onMessage(BatchMessage.NotGrown.class, this::onNotGrown)
        .onMessage(BatchMessage.OfFile.class, m -> onFileEvent(m.event()))
        .onMessage(BatchMessage.FileActorEnded.class, m -> onFileActorEnded(m.actor()))
        .onSignal(Terminated.class, this::onTerminated)
        .build();
  }

  @Override
  DeviceChoice choose(DocaLibrary library) throws FileException {
    return DeviceChoice.of(library, settings);
  }

  @Override
  FileEngines spawnEngines() {
    return spawn.apply(getContext());
  }

  @Override
  CompletionStage<BatchMessage.ContextsOpened> open(FileEngines engines, DeviceChoice device) {
    return engines
        .openContexts(device.options(settings.kinds(), settings.parallel()))
        .thenApply(contexts -> new BatchMessage.ContextsOpened(new BatchMemory(engines, contexts)));
  }

  private Behavior<Command> onContextsOpened(BatchMessage.ContextsOpened opened) {
    memory = opened.memory();
    if (!isStopping()) {
      reportOpened(settings.engines());
      getContext().getSelf().tell(BatchMessage.Next.INSTANCE);
    }
    return this;
  }

  private Behavior<Command> onNext() {
    current++;
    if (isStopping()) {
      return this;
    }
    if (current == settings.jobs().size()) {
      return stop(null);
    }
    try {
      prepare(PoolShape.of(job(), choice(), settings));
      return this;
    } catch (FileException e) {
      return fileFailed(e.failure());
    }
  }

  private void prepare(PoolShape wanted) {
    BatchMemory kept = known(memory);
    if (kept.covers(wanted)) {
      work();
      return;
    }
    getContext()
        .pipeToSelf(
            kept.replace(wanted),
            (pools, e) ->
                e == null
                    ? new BatchMessage.PoolsOpened(pools, wanted)
                    : new BatchMessage.PoolsFailed(FileEngines.failure(e)));
  }

  private Behavior<Command> onPoolsOpened(BatchMessage.PoolsOpened opened) {
    known(memory).opened(opened.buffers(), opened.shape());
    if (!isStopping()) {
      work();
    }
    return this;
  }

  private void work() {
    ActorRef<FileCommand> child =
        getContext()
            .spawn(
                files.create(job(), known(memory).workers(), choice().device()),
                "file-" + current,
                DispatcherSelector.blocking());
    getContext().watch(child);
    file = child;
  }

  private Behavior<Command> onGrow(BatchMessage.Grow request) {
    BatchMemory kept = known(memory);
    PoolShape shape = kept.grown(request.wanted(), settings);
    getContext()
        .pipeToSelf(
            kept.replace(shape),
            (buffers, e) ->
                e == null
                    ? new BatchMessage.Grown(buffers, shape, request.replyTo())
                    : new BatchMessage.NotGrown(FileEngines.failure(e), request.replyTo()));
    return this;
  }

  private Behavior<Command> onGrown(BatchMessage.Grown grown) {
    BatchMemory kept = known(memory);
    kept.opened(grown.buffers(), grown.shape());
    grown.replyTo().tell(new PipelineMessage.Grown(kept.workers()));
    return this;
  }

  private Behavior<Command> onNotGrown(BatchMessage.NotGrown notGrown) {
    notGrown.replyTo().tell(new PipelineMessage.NotGrown(notGrown.failure()));
    return this;
  }

  private Behavior<Command> onFileEvent(FileEvent event) {
    listener.tell(event);
    return event instanceof FileEvent.Progress ? this : fileEnded();
  }

  private Behavior<Command> fileFailed(FileFailure why) {
    listener.tell(new FileEvent.Failed(job(), why));
    return fileEnded();
  }

  private Behavior<Command> fileEnded() {
    file = null;
    getContext().getSelf().tell(BatchMessage.Next.INSTANCE);
    return isStopping() ? stopEngines() : this;
  }

  /**
   * Reports the file as failed when its actor stops without a result, which is a bug of the actor.
   */
  private Behavior<Command> onFileActorEnded(ActorRef<Void> actor) {
    return file != null && file.<Void>unsafeUpcast().equals(actor)
        ? fileFailed(
            FileFailure.of(
                Kind.INTERNAL, job().input(), "the actor of the file has stopped without a result"))
        : this;
  }

  private Behavior<Command> onTerminated(Terminated ended) {
    if (ended.getRef().path().name().startsWith("file-")) {
      getContext().getSelf().tell(new BatchMessage.FileActorEnded(ended.getRef()));
      return this;
    }
    return onEnginesEnded(ended);
  }

  @Override
  boolean cancelFiles() {
    if (file == null) {
      return true;
    }
    file.tell(FileCommand.Cancel.INSTANCE);
    return false;
  }

  private FileJob job() {
    return settings.jobs().get(current);
  }
}

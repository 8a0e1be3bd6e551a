package io.dpuactors.file;

import io.dpuactors.bridge.DocaLibrary;
import io.dpuactors.bridge.LibraryChoice;
import io.dpuactors.file.FileFailure.Kind;
import io.dpuactors.protocol.EngineProtocol;
import io.dpuactors.protocol.Stopped;
import java.util.Optional;
import java.util.function.Function;
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
 * Processes a list of files, then stops. It is the parent and supervisor of these actors:
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
public final class FileBatch extends AbstractBehavior<FileBatch.Command> {
  /** Command for the batch. */
  public sealed interface Command permits Cancel, BatchMessage {}

  /** Cancels the current file and all later ones, then stops the engines and the batch. */
  public enum Cancel implements Command {
    /** The only instance. */
    INSTANCE
  }

  private final BatchSettings settings;
  private final Function<ActorContext<?>, FileEngines> spawn;
  private final ActorRef<? super BatchEvent> listener;
  private final FileActors files;
  private int current = -1;
  private boolean stopping;
  private @Nullable DeviceChoice choice;
  private @Nullable FileEngines engines;
  private @Nullable BatchMemory memory;
  private @Nullable ActorRef<FileCommand> file;
  private @Nullable FileFailure failure;

  private FileBatch(
      ActorContext<Command> context,
      BatchSettings settings,
      Function<ActorContext<?>, FileEngines> spawn,
      PartialFiles partials,
      ActorRef<? super BatchEvent> listener) {
    super(context);
    this.settings = settings;
    this.spawn = spawn;
    this.listener = listener;
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
    return Behaviors.setup(
        context -> {
          context.getSelf().tell(BatchMessage.Begin.INSTANCE);
          return new FileBatch(context, settings, spawn, partials, listener);
        });
  }

  @Override
  public Receive<Command> createReceive() {
    return newReceiveBuilder()
        .onMessage(BatchMessage.Begin.class, m -> onBegin())
        .onMessage(BatchMessage.ContextsOpened.class, this::onContextsOpened)
        .onMessage(BatchMessage.Next.class, m -> onNext())
        .onMessage(BatchMessage.PoolsOpened.class, this::onPoolsOpened)
        .onMessage(BatchMessage.PoolsFailed.class, m -> stopping ? this : fileFailed(m.failure()))
        .onMessage(BatchMessage.Grow.class, this::onGrow)
        .onMessage(BatchMessage.Grown.class, this::onGrown)
        .onMessage(BatchMessage.NotGrown.class, this::onNotGrown)
        .onMessage(BatchMessage.OfFile.class, m -> onFileEvent(m.event()))
        .onMessage(BatchMessage.FileActorEnded.class, m -> onFileActorEnded(m.actor()))
        .onMessage(BatchMessage.Broken.class, m -> stop(m.failure()))
        .onMessage(BatchMessage.EnginesStopped.class, m -> onEnginesStopped(m.answer()))
        .onMessage(Cancel.class, m -> stop(FileFailure.of(Kind.CANCELLED, null, "cancelled")))
        .onSignal(Terminated.class, this::onTerminated)
        .build();
  }

  private Behavior<Command> onBegin() {
    try {
      open();
      return this;
    } catch (FileException | RuntimeException | LinkageError e) {
      return stop(FileEngines.failure(e));
    }
  }

  private void open() throws FileException {
    String wanted = getContext().getSystem().settings().config().getString("dpu.library");
    DeviceChoice chosen = DeviceChoice.of(DocaLibrary.load(LibraryChoice.parse(wanted)), settings);
    choice = chosen;
    FileEngines spawned = spawn.apply(getContext());
    engines = spawned;
    getContext()
        .pipeToSelf(
            spawned.openContexts(chosen.options(settings.kinds(), settings.parallel())),
            (opened, e) ->
                e == null
                    ? new BatchMessage.ContextsOpened(opened)
                    : new BatchMessage.Broken(FileEngines.failure(e)));
  }

  private Behavior<Command> onContextsOpened(BatchMessage.ContextsOpened opened) {
    DeviceChoice chosen = known(choice);
    String device = chosen.device().pciAddress();
    if (engines != null) {
      memory = new BatchMemory(engines, opened.contexts());
    }
    if (!stopping) {
      listener.tell(
          new BatchEvent.Opened(chosen.library(), chosen.version(), device, settings.engines()));
      getContext().getSelf().tell(BatchMessage.Next.INSTANCE);
    }
    return this;
  }

  private Behavior<Command> onNext() {
    current++;
    if (stopping) {
      return this;
    }
    if (current == settings.jobs().size()) {
      return stop(null);
    }
    try {
      prepare(PoolShape.of(job(), known(choice), settings));
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
    if (!stopping) {
      work();
    }
    return this;
  }

  private void work() {
    ActorRef<FileCommand> child =
        getContext()
            .spawn(
                files.create(job(), known(memory).workers(), known(choice).device()),
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
    return stopping ? stopEngines() : this;
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
    engines = null;
    if (!stopping) {
      return stop(FileEngines.ended(ended));
    }
    return this;
  }

  /** Cancels the current file before it stops the engines: the file has leases of their memory. */
  private Behavior<Command> stop(@Nullable FileFailure why) {
    if (stopping) {
      return this;
    }
    stopping = true;
    failure = why;
    if (file != null) {
      file.tell(FileCommand.Cancel.INSTANCE);
      return this;
    }
    return stopEngines();
  }

  private Behavior<Command> stopEngines() {
    if (engines == null) {
      return onEnginesStopped(Stopped.CLEAN);
    }
    getContext().pipeToSelf(engines.stop(), (answer, e) -> new BatchMessage.EnginesStopped(answer));
    return this;
  }

  private Behavior<Command> onEnginesStopped(Stopped answer) {
    listener.tell(
        new BatchEvent.Ended(answer.clean(), answer.census(), Optional.ofNullable(failure)));
    return Behaviors.stopped();
  }

  private FileJob job() {
    return settings.jobs().get(current);
  }

  private static <T> T known(@Nullable T value) {
    if (value == null) {
      throw new IllegalStateException("used before it was opened");
    }
    return value;
  }
}

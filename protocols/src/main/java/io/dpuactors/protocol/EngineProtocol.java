package io.dpuactors.protocol;

import io.dpuactors.bridge.Census;
import io.dpuactors.bridge.DocaError;
import io.dpuactors.bridge.TaskLibrary;
import java.util.Map;
import org.apache.pekko.actor.typed.ActorRef;

/** Messages to an {@code Engine}, from actors of the same process: see {@link LocalMessage}. */
public final class EngineProtocol {
  private EngineProtocol() {}

  /** A message to the engine. */
  public sealed interface Command extends LocalMessage
      permits Open, MemoryProtocol.Command, GetStatus, Stop {}

  /**
   * Opens a context as a supervised child of the engine. The engine answers once: when the context
   * runs, when its start fails, or at the engine's open-deadline.
   *
   * @param <C> the messages of the context
   */
  public sealed interface Open<C> extends Command, OpenRequest<C>
      permits OpenTasks, OpenSyncEvent, OpenComchServer, OpenComchClient, OpenRdma {}

  /**
   * Opens a context of tasks.
   *
   * @param <C> the messages of the context
   */
  public non-sealed interface OpenTasks<C> extends Open<C> {
    /** Returns the library of the tasks. */
    TaskLibrary library();

    /** Returns the options of the context. */
    TaskOptions options();
  }

  /**
   * Opens a context of any library, for programs that handle all libraries alike. A program for one
   * library uses a message with typed answers, such as {@link OpenCompress}.
   */
  public record OpenLibrary(
      TaskLibrary library,
      String name,
      TaskOptions options,
      ActorRef<ContextReply<LocalMessage>> replyTo)
      implements OpenTasks<LocalMessage> {
    @Override
    public void opened(ActorRef<LocalMessage> context) {
      replyTo.tell(new TaskProtocol.Opened(name, context));
    }

    @Override
    public void refuse(DocaError error) {
      replyTo.tell(new TaskProtocol.OpenFailed(name, error));
    }
  }

  /** Opens a compress context. */
  public record OpenCompress(
      String name, TaskOptions options, ActorRef<CompressProtocol.OpenReply> replyTo)
      implements OpenTasks<CompressProtocol.Command> {
    @Override
    public TaskLibrary library() {
      return TaskLibrary.COMPRESS;
    }

    @Override
    public void opened(ActorRef<CompressProtocol.Command> context) {
      replyTo.tell(new CompressProtocol.Opened(name, context));
    }

    @Override
    public void refuse(DocaError error) {
      replyTo.tell(new CompressProtocol.OpenFailed(name, error));
    }
  }

  /** Opens a DMA context. */
  public record OpenDma(String name, TaskOptions options, ActorRef<DmaProtocol.OpenReply> replyTo)
      implements OpenTasks<DmaProtocol.Command> {
    @Override
    public TaskLibrary library() {
      return TaskLibrary.DMA;
    }

    @Override
    public void opened(ActorRef<DmaProtocol.Command> context) {
      replyTo.tell(new DmaProtocol.Opened(name, context));
    }

    @Override
    public void refuse(DocaError error) {
      replyTo.tell(new DmaProtocol.OpenFailed(name, error));
    }
  }

  /** Opens a SHA context. */
  public record OpenSha(String name, TaskOptions options, ActorRef<ShaProtocol.OpenReply> replyTo)
      implements OpenTasks<ShaProtocol.Command> {
    @Override
    public TaskLibrary library() {
      return TaskLibrary.SHA;
    }

    @Override
    public void opened(ActorRef<ShaProtocol.Command> context) {
      replyTo.tell(new ShaProtocol.Opened(name, context));
    }

    @Override
    public void refuse(DocaError error) {
      replyTo.tell(new ShaProtocol.OpenFailed(name, error));
    }
  }

  /** Opens an AES-GCM context. */
  public record OpenAesGcm(
      String name, TaskOptions options, ActorRef<AesGcmProtocol.OpenReply> replyTo)
      implements OpenTasks<AesGcmProtocol.Command> {
    @Override
    public TaskLibrary library() {
      return TaskLibrary.AES_GCM;
    }

    @Override
    public void opened(ActorRef<AesGcmProtocol.Command> context) {
      replyTo.tell(new AesGcmProtocol.Opened(name, context));
    }

    @Override
    public void refuse(DocaError error) {
      replyTo.tell(new AesGcmProtocol.OpenFailed(name, error));
    }
  }

  /** Opens an erasure coding context. */
  public record OpenErasureCoding(
      String name, TaskOptions options, ActorRef<ErasureCodingProtocol.OpenReply> replyTo)
      implements OpenTasks<ErasureCodingProtocol.Command> {
    @Override
    public TaskLibrary library() {
      return TaskLibrary.ERASURE_CODING;
    }

    @Override
    public void opened(ActorRef<ErasureCodingProtocol.Command> context) {
      replyTo.tell(new ErasureCodingProtocol.Opened(name, context));
    }

    @Override
    public void refuse(DocaError error) {
      replyTo.tell(new ErasureCodingProtocol.OpenFailed(name, error));
    }
  }

  /** Opens a sync event. */
  public record OpenSyncEvent(
      String name, SyncEventOptions options, ActorRef<SyncEventProtocol.OpenReply> replyTo)
      implements Open<SyncEventProtocol.Command> {
    @Override
    public void opened(ActorRef<SyncEventProtocol.Command> context) {
      replyTo.tell(new SyncEventProtocol.Opened(name, context));
    }

    @Override
    public void refuse(DocaError error) {
      replyTo.tell(new SyncEventProtocol.OpenFailed(name, error));
    }
  }

  /** Opens a comch server. A running server accepts clients. */
  public record OpenComchServer(
      String name, ServerOptions options, ActorRef<ServerProtocol.OpenReply> replyTo)
      implements Open<ServerProtocol.Command> {
    @Override
    public void opened(ActorRef<ServerProtocol.Command> context) {
      replyTo.tell(new ServerProtocol.Opened(name, context));
    }

    @Override
    public void refuse(DocaError error) {
      replyTo.tell(new ServerProtocol.OpenFailed(name, error));
    }
  }

  /** Opens a comch client. A client runs once it is connected. */
  public record OpenComchClient(
      String name, ClientOptions options, ActorRef<ConnectionProtocol.OpenReply> replyTo)
      implements Open<ConnectionProtocol.Command> {
    @Override
    public void opened(ActorRef<ConnectionProtocol.Command> context) {
      replyTo.tell(new ConnectionProtocol.Opened(name, context));
    }

    @Override
    public void refuse(DocaError error) {
      replyTo.tell(new ConnectionProtocol.OpenFailed(name, error));
    }

    @Override
    public void opening(ActorRef<ConnectionProtocol.Command> context, DocaError error) {
      replyTo.tell(new ConnectionProtocol.Opening(name, context, error));
    }

    @Override
    public boolean keepsStarting() {
      return options.restarts();
    }
  }

  /** Opens an RDMA context. */
  public record OpenRdma(String name, RdmaOptions options, ActorRef<RdmaProtocol.OpenReply> replyTo)
      implements Open<RdmaProtocol.Command> {
    @Override
    public void opened(ActorRef<RdmaProtocol.Command> context) {
      replyTo.tell(new RdmaProtocol.Opened(name, context));
    }

    @Override
    public void refuse(DocaError error) {
      replyTo.tell(new RdmaProtocol.OpenFailed(name, error));
    }
  }

  /**
   * Asks for the state of the engine. Answer: {@link Status}; of an engine that has ended {@link
   * Status#ENDED}.
   */
  public record GetStatus(ActorRef<Status> replyTo) implements Command, Request {
    @Override
    public void refuse(DocaError error) {
      replyTo.tell(Status.ENDED);
    }
  }

  /**
   * A snapshot of an engine.
   *
   * @param library the DOCA libraries in use: {@code software DPU} or NVIDIA's; empty when the
   *     engine has ended
   * @param open number of open objects by kind
   * @param tasksInFlight tasks that the device holds
   * @param counters counters by name since the engine's start; docs/threading.md describes each
   */
  public record Status(
      String library,
      Map<Census.Resource, Integer> open,
      int tasksInFlight,
      Map<String, Long> counters)
      implements LocalMessage {
    /** The status of an engine that has ended: nothing is open, nothing is counted. */
    public static final Status ENDED = new Status("", Map.of(), 0, Map.of());
  }
}

package io.dpuactors.benchmarks.load;

import io.dpuactors.bridge.Buffer;
import io.dpuactors.bridge.TaskBatch;
import io.dpuactors.bridge.TaskKind;
import io.dpuactors.bridge.TaskLibrary;
import io.dpuactors.protocol.AesGcmProtocol;
import io.dpuactors.protocol.AesGcmProtocol.CreateKey;
import io.dpuactors.protocol.AesGcmProtocol.Encrypt;
import io.dpuactors.protocol.AesGcmProtocol.KeyCreated;
import io.dpuactors.protocol.AesGcmProtocol.KeyRefused;
import io.dpuactors.protocol.AesGcmProtocol.KeyReply;
import io.dpuactors.protocol.AesGcmProtocol.Parameters;
import io.dpuactors.protocol.BatchReply;
import io.dpuactors.protocol.CompressProtocol;
import io.dpuactors.protocol.CompressProtocol.Deflate;
import io.dpuactors.protocol.ContextReply;
import io.dpuactors.protocol.DmaProtocol.Copy;
import io.dpuactors.protocol.DmaProtocol.CopyBatch;
import io.dpuactors.protocol.EngineProtocol.OpenLibrary;
import io.dpuactors.protocol.ErasureCodingProtocol.Create;
import io.dpuactors.protocol.ErasureCodingProtocol.CreateMatrix;
import io.dpuactors.protocol.ErasureCodingProtocol.Definition;
import io.dpuactors.protocol.ErasureCodingProtocol.Matrix;
import io.dpuactors.protocol.ErasureCodingProtocol.MatrixCreated;
import io.dpuactors.protocol.ErasureCodingProtocol.MatrixRefused;
import io.dpuactors.protocol.ErasureCodingProtocol.MatrixReply;
import io.dpuactors.protocol.LocalMessage;
import io.dpuactors.protocol.ShaProtocol.Algorithm;
import io.dpuactors.protocol.ShaProtocol.Hash;
import io.dpuactors.protocol.TaskOptions;
import io.dpuactors.protocol.TaskReply;
import java.nio.ByteBuffer;
import java.util.Optional;
import org.apache.pekko.actor.typed.ActorRef;

/**
 * A context under load.
 *
 * @param context accepts the requests of the kind
 * @param kind of the requests
 * @param tasks creates requests of one task
 */
record LoadTarget(ActorRef<LocalMessage> context, Load.Kind kind, Tasks tasks) {
  private static final int KEY_BYTES = 32;
  private static final int IV_BYTES = 12;

  /** Creates a request of one task. */
  interface Tasks {
    LocalMessage create(Buffer src, Buffer dst, long tag, ActorRef<TaskReply> replyTo);
  }

  /**
   * Opens a context, and creates the key or the matrix of its tasks.
   *
   * @throws IllegalStateException if that fails, with the cause
   */
  static LoadTarget open(LoadSystem system, int engine, String name, Load.Kind kind, int window) {
    TaskLibrary library = TaskLibrary.of(kind.task());
    TaskOptions options = TaskOptions.defaults().withKinds(kind.task()).withWindow(window);
    ActorRef<LocalMessage> context =
        system.<LocalMessage, ContextReply<LocalMessage>>open(
            engine, me -> new OpenLibrary(library, name, options, me));
    return new LoadTarget(
        context,
        kind,
        switch (kind) {
          case COMPRESS -> Deflate::new;
          case DMA -> Copy::new;
          case SHA -> (src, dst, tag, me) -> new Hash(Algorithm.SHA256, src, dst, tag, me);
          case AES_GCM -> encryptions(system, context);
          case ERASURE_CODING -> creations(system, context);
        });
  }

  /** The key and the IV are fixed: the ciphertext is discarded. */
  private static Tasks encryptions(LoadSystem system, ActorRef<LocalMessage> context) {
    ByteBuffer bytes = ByteBuffer.allocateDirect(KEY_BYTES).put(0, (byte) 1);
    KeyReply reply = system.ask(context, me -> new CreateKey(bytes, Optional.empty(), me));
    if (reply instanceof KeyRefused refused) {
      throw new IllegalStateException(refused.error().toString());
    }
    AesGcmProtocol.Key key = ((KeyCreated) reply).key();
    Parameters parameters = new Parameters(new byte[IV_BYTES]);
    return (src, dst, tag, me) -> new Encrypt(key, parameters, src, dst, tag, me);
  }

  private static Tasks creations(LoadSystem system, ActorRef<LocalMessage> context) {
    Definition cauchy = new Definition.Cauchy(Load.DATA_BLOCKS, Load.REDUNDANCY_BLOCKS);
    MatrixReply reply = system.ask(context, me -> new CreateMatrix(cauchy, me));
    if (reply instanceof MatrixRefused refused) {
      throw new IllegalStateException(refused.error().toString());
    }
    Matrix matrix = ((MatrixCreated) reply).matrix();
    return (src, dst, tag, me) -> new Create(matrix, src, dst, tag, me);
  }

  /** Creates a request of many tasks. */
  LocalMessage batch(TaskBatch batch, long tag, ActorRef<BatchReply> replyTo) {
    return switch (kind) {
      case COMPRESS -> new CompressProtocol.Batch(TaskKind.COMPRESS_DEFLATE, batch, tag, replyTo);
      case DMA -> new CopyBatch(batch, tag, replyTo);
      default -> throw new IllegalArgumentException("no batches of " + kind.key());
    };
  }
}

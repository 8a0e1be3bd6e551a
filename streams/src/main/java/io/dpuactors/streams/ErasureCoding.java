package io.dpuactors.streams;

import io.dpuactors.bridge.Buffer;
import io.dpuactors.bridge.DocaException;
import io.dpuactors.protocol.EngineProtocol;
import io.dpuactors.protocol.ErasureCodingProtocol;
import io.dpuactors.protocol.ErasureCodingProtocol.Create;
import io.dpuactors.protocol.ErasureCodingProtocol.CreateMatrix;
import io.dpuactors.protocol.ErasureCodingProtocol.Definition;
import io.dpuactors.protocol.ErasureCodingProtocol.DestroyMatrix;
import io.dpuactors.protocol.ErasureCodingProtocol.Matrix;
import io.dpuactors.protocol.ErasureCodingProtocol.MatrixCreated;
import io.dpuactors.protocol.ErasureCodingProtocol.MatrixRefused;
import io.dpuactors.protocol.ErasureCodingProtocol.MatrixReply;
import io.dpuactors.protocol.ErasureCodingProtocol.Recover;
import io.dpuactors.protocol.TaskReply;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.stream.javadsl.Flow;
import org.apache.pekko.util.ByteString;

/**
 * Erasure coding as streams. An element is a number of equal blocks behind each other; each has a
 * multiple of 64 bytes. Each materialization creates its matrices in the context and destroys them
 * at the end. The restart of a context ends its matrices and fails the streams that use them.
 */
public final class ErasureCoding {
  private ErasureCoding() {}

  /**
   * Computes the redundancy blocks of the data blocks of each element.
   *
   * @param engine the engine of the context; an engine group has no matrices
   * @param context a running erasure coding context
   * @param coding a Cauchy, Vandermonde or custom matrix
   * @param options elements have at most {@link StreamOptions#maxElementBytes} bytes
   * @return the materialized value is that of {@link Deflate#flow}
   */
  public static Flow<ByteString, ByteString, CompletionStage<StreamStatistics>> create(
      ActorRef<EngineProtocol.Command> engine,
      ActorRef<ErasureCodingProtocol.Command> context,
      Definition coding,
      StreamOptions options) {
    return create(engine, context, coding, options, Elements.heap());
  }

  /**
   * Does the same with elements in the memory of the device, without a copy.
   *
   * @param access writes the data blocks of each element, and makes its result of the redundancy
   *     blocks
   * @return the materialized value is that of {@link Deflate#flow}
   */
  public static <T, R> Flow<T, R, CompletionStage<StreamStatistics>> create(
      ActorRef<EngineProtocol.Command> engine,
      ActorRef<ErasureCodingProtocol.Command> context,
      Definition coding,
      StreamOptions options,
      BufferAccess<T, R> access) {
    return create(engine, context, coding, options, Elements.inPlace(access));
  }

  private static <I, O> Flow<I, O, CompletionStage<StreamStatistics>> create(
      ActorRef<EngineProtocol.Command> engine,
      ActorRef<ErasureCodingProtocol.Command> context,
      Definition coding,
      StreamOptions options,
      Elements.Form<I, O> form) {
    return TaskFlow.create(
        engine,
        context,
        options,
        form,
        (place, elements) ->
            using(place, coding, matrix -> open(place, matrix, Create::new, elements)));
  }

  /**
   * Computes missing blocks of each element. An element has as many available blocks as there are
   * data blocks: the first ones that are not missing, in order.
   *
   * @param engine the engine of the context; an engine group has no matrices
   * @param context a running erasure coding context
   * @param coding the matrix of {@link #create}
   * @param missing ascending indices of data blocks, which come first, and redundancy blocks
   * @param options elements have at most {@link StreamOptions#maxElementBytes} bytes
   * @return the materialized value is that of {@link Deflate#flow}
   */
  public static Flow<ByteString, ByteString, CompletionStage<StreamStatistics>> recover(
      ActorRef<EngineProtocol.Command> engine,
      ActorRef<ErasureCodingProtocol.Command> context,
      Definition coding,
      List<Integer> missing,
      StreamOptions options) {
    return recover(engine, context, coding, missing, options, Elements.heap());
  }

  /**
   * Does the same with elements in the memory of the device, without a copy.
   *
   * @param access writes the available blocks of each element, and makes its result of the missing
   *     blocks
   * @return the materialized value is that of {@link Deflate#flow}
   */
  public static <T, R> Flow<T, R, CompletionStage<StreamStatistics>> recover(
      ActorRef<EngineProtocol.Command> engine,
      ActorRef<ErasureCodingProtocol.Command> context,
      Definition coding,
      List<Integer> missing,
      StreamOptions options,
      BufferAccess<T, R> access) {
    return recover(engine, context, coding, missing, options, Elements.inPlace(access));
  }

  private static <I, O> Flow<I, O, CompletionStage<StreamStatistics>> recover(
      ActorRef<EngineProtocol.Command> engine,
      ActorRef<ErasureCodingProtocol.Command> context,
      Definition coding,
      List<Integer> missing,
      StreamOptions options,
      Elements.Form<I, O> form) {
    List<Integer> indices = List.copyOf(missing);
    return TaskFlow.create(
        engine,
        context,
        options,
        form,
        (place, elements) ->
            using(
                place,
                coding,
                matrix ->
                    using(
                        place,
                        new Definition.Recovery(matrix, indices),
                        recovery -> open(place, recovery, Recover::new, elements))));
  }

  /** Makes the message of one task. */
  private interface Coder {
    ErasureCodingProtocol.Command request(
        Matrix matrix, Buffer src, Buffer dst, long tag, ActorRef<TaskReply> replyTo);
  }

  private static <I, O> CompletionStage<Tasks<I, O>> using(
      Place<ErasureCodingProtocol.Command> place,
      Definition definition,
      Function<Matrix, CompletionStage<Tasks<I, O>>> open) {
    return place.using(
        owner -> create(place, owner, definition),
        open,
        matrix -> place.destroy(replyTo -> new DestroyMatrix(matrix, replyTo)));
  }

  private static CompletionStage<Matrix> create(
      Place<ErasureCodingProtocol.Command> place, ObjectOwner owner, Definition definition) {
    return place
        .<MatrixReply>ask(replyTo -> new CreateMatrix(definition, owner.asOwner(), replyTo))
        .thenApply(
            reply -> {
              if (reply instanceof MatrixRefused refused) {
                throw new DocaException(refused.error());
              }
              return ((MatrixCreated) reply).matrix();
            });
  }

  private static <I, O> CompletionStage<Tasks<I, O>> open(
      Place<ErasureCodingProtocol.Command> place,
      Matrix matrix,
      Coder coder,
      Elements<I, O> elements) {
    int max = place.options().maxElementBytes();
    return place
        .open(
            (src, dst, replyTo) -> coder.request(matrix, src, dst, 0, replyTo),
            max,
            Math.multiplyExact(max / matrix.inputs() + 1, matrix.outputs()))
        .thenApply(tasks -> Tasks.of(tasks, one -> elements.run(tasks, one)));
  }
}

package io.dpuactors.fleet;

import io.dpuactors.fleet.FleetMessage.Attach;
import io.dpuactors.fleet.FleetMessage.AttachRefused;
import io.dpuactors.fleet.FleetMessage.Attached;
import io.dpuactors.fleet.FleetMessage.Block;
import io.dpuactors.fleet.FleetMessage.BlockClosed;
import io.dpuactors.fleet.FleetMessage.BlockContent;
import io.dpuactors.fleet.FleetMessage.BlockDone;
import io.dpuactors.fleet.FleetMessage.BlockFailed;
import io.dpuactors.fleet.FleetMessage.Drain;
import io.dpuactors.fleet.FleetMessage.Drained;
import io.dpuactors.fleet.FleetMessage.FetchBlock;
import io.dpuactors.fleet.FleetMessage.GetNodeStatus;
import io.dpuactors.fleet.FleetMessage.NodeStatus;
import java.io.NotSerializableException;
import java.nio.BufferOverflowException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.Function;
import org.apache.pekko.actor.ExtendedActorSystem;
import org.apache.pekko.actor.typed.ActorRefResolver;
import org.apache.pekko.actor.typed.javadsl.Adapter;
import org.apache.pekko.serialization.ByteBufferSerializer;
import org.apache.pekko.serialization.SerializerWithStringManifest;

/**
 * Encodes the messages of {@link FleetMessage} and no other class.
 *
 * <p>The manifest is the name of the message and the version of its layout, such as {@code
 * block/1}. The fields follow in the order of the record, as {@link WireWriter} writes them. A
 * message with bytes after its last field is refused. Thread: any.
 */
public final class FleetSerializer extends SerializerWithStringManifest
    implements ByteBufferSerializer {
  /** One message: its manifest, and how its fields are written and read. */
  private record Layout<T>(
      String manifest, BiConsumer<T, WireWriter> write, Function<WireReader, T> read) {
    void writeTo(Object message, WireWriter out) {
      @SuppressWarnings("unchecked") // the table is keyed by the class
      T typed = (T) message;
      write.accept(typed, out);
    }
  }

  private static final Map<Class<?>, Layout<?>> BY_CLASS = new LinkedHashMap<>();
  private static final Map<String, Layout<?>> BY_MANIFEST = new HashMap<>();

  static {
    add(
        Block.class,
        "block/2",
        (m, out) -> out.text(m.job()).number(m.id()).kind(m.kind()).ref(m.client()),
        in -> new Block(in.text(), in.number(), in.kind(), in.ref()));
    add(
        FetchBlock.class,
        "fetch/1",
        (m, out) -> out.text(m.job()).number(m.id()).ref(m.replyTo()),
        in -> new FetchBlock(in.text(), in.number(), in.ref()));
    add(
        BlockContent.class,
        "content/2",
        (m, out) -> out.number(m.id()).integer(m.offset()).integer(m.total()).bytes(m.content()),
        in -> new BlockContent(in.number(), in.integer(), in.integer(), in.bytes()));
    add(
        BlockClosed.class,
        "closed/1",
        (m, out) -> out.number(m.id()),
        in -> new BlockClosed(in.number()));
    add(
        BlockDone.class,
        "done/1",
        (m, out) ->
            out.text(m.job())
                .number(m.id())
                .text(m.node())
                .integer(m.crc32())
                .integer(m.checksum())
                .bytes(m.content()),
        in ->
            new BlockDone(
                in.text(), in.number(), in.text(), in.integer(), in.integer(), in.bytes()));
    add(
        BlockFailed.class,
        "failed/1",
        (m, out) ->
            out.text(m.job())
                .number(m.id())
                .text(m.node())
                .integer(m.code())
                .text(m.operation())
                .text(m.about()),
        in ->
            new BlockFailed(in.text(), in.number(), in.text(), in.integer(), in.text(), in.text()));
    add(
        Attach.class,
        "attach/1",
        (m, out) -> out.integer(m.protocol()).text(m.job()).kind(m.kind()).ref(m.client()),
        in -> new Attach(in.integer(), in.text(), in.kind(), in.ref()));
    add(
        Attached.class,
        "attached/1",
        (m, out) -> out.text(m.job()).kind(m.kind()).text(m.node()),
        in -> new Attached(in.text(), in.kind(), in.text()));
    add(
        AttachRefused.class,
        "refused/2",
        (m, out) -> out.text(m.job()).kind(m.kind()).text(m.node()).integer(m.code()).text(m.why()),
        in -> new AttachRefused(in.text(), in.kind(), in.text(), in.integer(), in.text()));
    add(
        GetNodeStatus.class,
        "get-status/1",
        (m, out) -> out.ref(m.replyTo()),
        in -> new GetNodeStatus(in.ref()));
    add(
        NodeStatus.class,
        "status/2",
        (m, out) ->
            out.text(m.node())
                .text(m.library())
                .text(m.device())
                .text(m.kinds())
                .integer(m.jobs())
                .integer(m.busy())
                .number(m.blocks())
                .number(m.failed())
                .number(m.bytesIn())
                .number(m.bytesOut())
                .integer(m.draining() ? 1 : 0)
                .counts(m.refused()),
        in ->
            new NodeStatus(
                in.text(),
                in.text(),
                in.text(),
                in.text(),
                in.integer(),
                in.integer(),
                in.number(),
                in.number(),
                in.number(),
                in.number(),
                in.integer() != 0,
                in.counts()));
    add(Drain.class, "drain/1", (m, out) -> out.ref(m.replyTo()), in -> new Drain(in.ref()));
    add(Drained.class, "drained/1", (m, out) -> out.text(m.node()), in -> new Drained(in.text()));
  }

  private final int identifier;
  private final ActorRefResolver refs;

  /** Called by Pekko. */
  public FleetSerializer(ExtendedActorSystem system) {
    identifier =
        system
            .settings()
            .config()
            .getInt(
                "pekko.actor.serialization-identifiers.\"" + FleetSerializer.class.getName() + '"');
    refs = ActorRefResolver.get(Adapter.toTyped(system));
  }

  private static <T> void add(
      Class<T> type,
      String manifest,
      BiConsumer<T, WireWriter> write,
      Function<WireReader, T> read) {
    Layout<T> layout = new Layout<>(manifest, write, read);
    BY_CLASS.put(type, layout);
    BY_MANIFEST.put(manifest, layout);
  }

  @Override
  public int identifier() {
    return identifier;
  }

  @Override
  public String manifest(Object message) {
    return layout(message).manifest();
  }

  /** Pekko's reliable delivery encodes blocks by this method. */
  @Override
  public byte[] toBinary(Object message) {
    ByteBuffer buffer = ByteBuffer.allocate(WireWriter.MAX_FIELDS_BYTES + contentBytes(message));
    toBinary(message, buffer);
    return Arrays.copyOf(buffer.array(), buffer.position());
  }

  private static int contentBytes(Object message) {
    if (message instanceof BlockContent block) {
      return block.content().size();
    }
    return message instanceof BlockDone done ? done.content().size() : 0;
  }

  @Override
  public void toBinary(Object message, ByteBuffer buffer) {
    try {
      layout(message).writeTo(message, new WireWriter(buffer, refs));
    } catch (BufferOverflowException e) {
      throw new IllegalArgumentException(
          "%s does not fit into a frame of %d bytes"
              .formatted(manifest(message), buffer.capacity()),
          e);
    }
  }

  @Override
  public Object fromBinary(byte[] bytes, String manifest) throws NotSerializableException {
    return fromBinary(ByteBuffer.wrap(bytes), manifest);
  }

  /** The message keeps the array of a buffer that has one: see {@link WireReader#bytes}. */
  @Override
  public Object fromBinary(ByteBuffer buffer, String manifest) throws NotSerializableException {
    Layout<?> layout = BY_MANIFEST.get(manifest);
    if (layout == null) {
      throw new NotSerializableException(
          "unknown message %s: its sender runs another version of the fleet".formatted(manifest));
    }
    try {
      Object message = layout.read().apply(new WireReader(buffer, refs));
      if (buffer.hasRemaining()) {
        throw new NotSerializableException(
            "%s: %d bytes after the last field".formatted(manifest, buffer.remaining()));
      }
      return message;
    } catch (BufferUnderflowException | IllegalArgumentException e) {
      NotSerializableException damaged =
          new NotSerializableException("%s: damaged: %s".formatted(manifest, e));
      damaged.initCause(e);
      throw damaged;
    }
  }

  private static Layout<?> layout(Object message) {
    Layout<?> layout = BY_CLASS.get(message.getClass());
    if (layout == null) {
      throw new IllegalArgumentException(message.getClass() + " is no message of a fleet");
    }
    return layout;
  }
}

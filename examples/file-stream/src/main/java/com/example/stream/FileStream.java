package com.example.stream;

import static com.typesafe.config.ConfigFactory.load;

import io.dpuactors.engine.Engine;
import io.dpuactors.protocol.AesGcmProtocol;
import io.dpuactors.protocol.ClientOptions;
import io.dpuactors.protocol.CompressProtocol;
import io.dpuactors.protocol.ConnectionOptions;
import io.dpuactors.protocol.EngineProtocol;
import io.dpuactors.protocol.EngineProtocol.OpenAesGcm;
import io.dpuactors.protocol.EngineProtocol.OpenCompress;
import io.dpuactors.protocol.MessageFraming;
import io.dpuactors.protocol.ServerOptions;
import io.dpuactors.protocol.ServerProtocol;
import io.dpuactors.protocol.Stop;
import io.dpuactors.protocol.Stopped;
import io.dpuactors.protocol.TaskOptions;
import io.dpuactors.streams.AesGcm;
import io.dpuactors.streams.Comch;
import io.dpuactors.streams.Deflate;
import io.dpuactors.streams.IncomingConnection;
import io.dpuactors.streams.Inflate;
import io.dpuactors.streams.ServerBinding;
import io.dpuactors.streams.StreamOptions;
import io.dpuactors.streams.StreamStatistics;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.concurrent.CompletionStage;
import javax.crypto.SecretKey;
import javax.crypto.spec.SecretKeySpec;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.javadsl.AskPattern;
import org.apache.pekko.japi.Pair;
import org.apache.pekko.japi.function.Function;
import org.apache.pekko.stream.ActorAttributes;
import org.apache.pekko.stream.IOResult;
import org.apache.pekko.stream.javadsl.FileIO;
import org.apache.pekko.stream.javadsl.Keep;
import org.apache.pekko.stream.javadsl.Sink;
import org.apache.pekko.stream.javadsl.Source;
import org.apache.pekko.util.ByteString;

/** Sends a file over the communication channel: the device compresses and encrypts its blocks. */
public final class FileStream {
  private static final String SERVICE = "files";
  private static final int BLOCK = 1 << 20;

  // tag::options[]
  static final StreamOptions PLAIN = StreamOptions.of(BLOCK);
  static final StreamOptions DEFLATED = StreamOptions.of(BLOCK + BLOCK / 100); // incompressible
  static final ConnectionOptions CONNECTION =
      ConnectionOptions.defaults().withFraming(new MessageFraming(2 * BLOCK));

  // end::options[]

  private final ActorSystem<EngineProtocol.Command> engine;
  private final ActorRef<CompressProtocol.Command> compress;
  private final ActorRef<AesGcmProtocol.Command> aes;

  FileStream(ActorSystem<EngineProtocol.Command> engine) {
    this.engine = engine;
    CompressProtocol.OpenReply opened =
        ask(me -> new OpenCompress("compress", TaskOptions.defaults(), me));
    compress = ((CompressProtocol.Opened) opened).context();
    AesGcmProtocol.OpenReply aesOpened =
        ask(me -> new OpenAesGcm("aes", TaskOptions.defaults(), me));
    aes = ((AesGcmProtocol.Opened) aesOpened).context();
  }

  // tag::stream[]
  CompletionStage<StreamStatistics> send(Path file, SecretKey key) {
    return FileIO.fromPath(file, BLOCK)
        .via(Deflate.flow(engine, compress, PLAIN))
        .via(AesGcm.encrypt(engine, aes, key, DEFLATED))
        .viaMat(
            Comch.outgoingConnection(
                engine, ClientOptions.of(SERVICE).withConnection(CONNECTION)),
            Keep.right())
        .to(Sink.ignore())
        .run(engine);
  }

  CompletionStage<IOResult> receive(IncomingConnection<?> sender, Path file, SecretKey key) {
    return Source.<ByteString>empty() // this side sends nothing
        .via(sender.flow())
        .via(AesGcm.decrypt(engine, aes, key, DEFLATED))
        .via(Inflate.flow(engine, compress, PLAIN))
        .runWith(FileIO.toPath(file), engine);
  }
  // end::stream[]

  // tag::deflated[]
  private static final String BLOCKING = "pekko.actor.default-blocking-io-dispatcher";

  CompletionStage<Integer> deflatedBytes(FileChannel file) throws IOException {
    long blocks = (file.size() + BLOCK - 1) / BLOCK;
    return Source.range(0, (int) blocks - 1)
        .map(Integer::longValue)
        .via(
            Deflate.flow(engine, compress, PLAIN, new FileBlocks(file, BLOCK))
                .addAttributes(ActorAttributes.dispatcher(BLOCKING)))
        .runWith(Sink.fold(0, Integer::sum), engine);
  }

  // end::deflated[]

  /** Serves one sender. The second stage completes when its file is written. */
  Pair<CompletionStage<ServerBinding<ServerProtocol.Command>>, CompletionStage<IOResult>> serve(
      Path file, SecretKey key) {
    return Comch.bind(engine, ServerOptions.of(SERVICE).withConnections(CONNECTION))
        .mapAsync(1, sender -> receive(sender, file, key))
        .toMat(Sink.head(), Keep.both())
        .run(engine);
  }

  static FileStream start() {
    return new FileStream(
        ActorSystem.create(Engine.create(), "files", load(), Engine.props()));
  }

  Stopped stop() {
    return ask(Stop::new);
  }

  private <R> R ask(Function<ActorRef<R>, EngineProtocol.Command> message) {
    return AskPattern.ask(engine, message, Duration.ofSeconds(10), engine.scheduler())
        .toCompletableFuture()
        .join();
  }

  /** Copies the file of the first argument to a file with the suffix {@code .copy}. */
  public static void main(String[] args) {
    byte[] secret = new byte[16];
    new SecureRandom().nextBytes(secret);
    SecretKey key = new SecretKeySpec(secret, "AES");
    FileStream files = start();
    var server = files.serve(Path.of(args[0] + ".copy"), key);
    server.first().toCompletableFuture().join();
    StreamStatistics sent = files.send(Path.of(args[0]), key).toCompletableFuture().join();
    IOResult written = server.second().toCompletableFuture().join();
    System.out.printf(
        "%d encrypted bytes sent, %d bytes written%n", sent.bytesIn(), written.getCount());
    System.out.println("stopped, census: " + files.stop().census());
  }
}

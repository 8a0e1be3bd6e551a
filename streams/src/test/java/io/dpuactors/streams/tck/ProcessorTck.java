package io.dpuactors.streams.tck;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.apache.pekko.stream.javadsl.AsPublisher;
import org.apache.pekko.stream.javadsl.Flow;
import org.apache.pekko.stream.javadsl.Sink;
import org.apache.pekko.stream.javadsl.Source;
import org.apache.pekko.util.ByteString;
import org.reactivestreams.Processor;
import org.reactivestreams.Publisher;
import org.reactivestreams.tck.IdentityProcessorVerification;
import org.testng.annotations.AfterClass;

/** The kit's tests of processors, for a flow whose results are its elements. */
abstract class ProcessorTck extends IdentityProcessorVerification<ByteString> {
  private final ExecutorService executor = Executors.newCachedThreadPool();

  ProcessorTck() {
    super(TckSystem.environment());
  }

  abstract Flow<ByteString, ByteString, ?> flow(TckSystem system);

  @Override
  public Processor<ByteString, ByteString> createIdentityProcessor(int bufferSize) {
    return flow(TckSystem.current()).toProcessor().run(TckSystem.current().actors());
  }

  @Override
  public Publisher<ByteString> createFailedPublisher() {
    return Source.<ByteString>failed(new IllegalStateException("failed"))
        .runWith(Sink.asPublisher(AsPublisher.WITHOUT_FANOUT), TckSystem.current().actors());
  }

  @Override
  public ByteString createElement(int number) {
    return TckSystem.element(number);
  }

  @Override
  public ExecutorService publisherExecutorService() {
    return executor;
  }

  /** A processor of Pekko has one subscriber. */
  @Override
  public long maxSupportedSubscribers() {
    return 1;
  }

  @AfterClass
  public void endExecutor() {
    executor.shutdownNow();
  }
}

package io.dpuactors.streams.tck;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.apache.pekko.stream.javadsl.Sink;
import org.apache.pekko.stream.javadsl.Source;
import org.apache.pekko.util.ByteString;
import org.reactivestreams.Subscriber;
import org.reactivestreams.tck.SubscriberBlackboxVerification;
import org.testng.annotations.Test;

/** The sink of a producer as a subscriber. The kit checks its requests, but sends no elements. */
public final class BlockSubscriberTck extends SubscriberBlackboxVerification<ByteString> {
  private static final int ELEMENTS = 100;

  /** Creates the tests. */
  public BlockSubscriberTck() {
    super(TckSystem.environment());
  }

  @Override
  public Subscriber<ByteString> createSubscriber() {
    return subscriber(Sink.ignore());
  }

  private static Subscriber<ByteString> subscriber(Sink<ByteString, ?> server) {
    TckSystem system = TckSystem.current();
    return Source.<ByteString>asSubscriber().to(system.blocks.sink(server)).run(system.actors());
  }

  @Override
  public ByteString createElement(int number) {
    return TckSystem.element(number);
  }

  /** The publisher of the kit fails if the subscriber breaks a rule. */
  @Test
  public void theConsumerReceivesTheElementsOfAPublisher() {
    CompletableFuture<List<ByteString>> received = new CompletableFuture<>();
    createHelperPublisher(ELEMENTS)
        .subscribe(
            subscriber(
                Sink.<ByteString>seq()
                    .mapMaterializedValue(all -> all.thenAccept(received::complete))));
    assertThat(received)
        .succeedsWithin(TckSystem.SIGNAL)
        .isEqualTo(IntStream.range(0, ELEMENTS).mapToObj(TckSystem::element).toList());
  }
}

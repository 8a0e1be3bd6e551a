package io.dpuactors.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.dpuactors.bridge.Buffer;
import io.dpuactors.bridge.DocaCode;
import io.dpuactors.bridge.DocaError;
import io.dpuactors.protocol.CompressProtocol.Deflate;
import io.dpuactors.protocol.ConsumerProtocol.ConsumerReply;
import io.dpuactors.protocol.ConsumerProtocol.Post;
import io.dpuactors.protocol.ProducerProtocol.Produce;
import io.dpuactors.protocol.ProducerProtocol.ProducerReply;
import io.dpuactors.protocol.TaskReply;
import io.dpuactors.protocol.TaskReply.Completed;
import io.dpuactors.protocol.TaskReply.Failed;
import io.dpuactors.protocol.TaskReply.Ownership;
import org.apache.pekko.actor.testkit.typed.javadsl.TestInbox;
import org.junit.jupiter.api.Test;

/**
 * Tests that a buffer belongs to one request at a time, and that a refused request takes no buffer.
 */
class OneHolderTest extends InlineCompress {
  private void deflate(Buffer src, Buffer dst, long tag) {
    node.load().accept(new Deflate(src, dst, tag, replies.getRef()));
  }

  private void assertRefused(long tag, Buffer taken) {
    Failed refused = (Failed) replies.receiveMessage();
    assertThat(refused.tag()).isEqualTo(tag);
    assertThat(refused.code()).isEqualTo(DocaCode.INVALID_VALUE);
    assertThat(refused.ownership()).isEqualTo(Ownership.RETURNED);
    assertThat(refused.error().about())
        .endsWith(taken + " is in use: an earlier request of compress has it");
  }

  private void assertCompleted(long tag) {
    engine.settle();
    TaskReply reply = replies.receiveMessage();
    assertThat(reply).isInstanceOf(Completed.class);
    assertThat(reply.tag()).isEqualTo(tag);
  }

  @Test
  void theSameBuffersSentTwiceAreRefusedTheSecondTime() {
    Buffer src = engine.buffer((byte) 1);
    Buffer dst = engine.buffer();
    deflate(src, dst, 1);
    deflate(src, dst, 2);
    assertRefused(2, src);
    assertCompleted(1);
    deflate(src, dst, 3);
    assertCompleted(3);
    src.release();
    dst.release();
  }

  @Test
  void theSourceOfARefusedRequestIsItsSendersAgain() {
    Buffer first = engine.buffer((byte) 1);
    Buffer second = engine.buffer((byte) 2);
    Buffer dst = engine.buffer();
    deflate(first, dst, 1);
    deflate(second, dst, 2);
    assertRefused(2, dst);
    second.release();
    assertCompleted(1);
    first.release();
    dst.release();
  }

  @Test
  void nothingIsTakenOfARequestWhoseDestinationIsWithThePool() {
    TaskRequests requests = new TaskRequests("compress");
    Buffer src = engine.buffer((byte) 1);
    Buffer dst = engine.buffer();
    dst.release();
    DocaError error = requests.take(new Deflate(src, dst, replies.getRef()));
    assertThat(error).isNotNull();
    assertThat(error.about()).endsWith(dst + " was already returned to its pool");
    assertThat(src.isLent()).isFalse();
    src.release();
  }

  @Test
  void aBufferIsPostedOnceAtATime() {
    PostRequests requests = new PostRequests("consumer", engine.pool);
    TestInbox<ConsumerReply> inbox = TestInbox.create();
    Buffer dst = engine.buffer();
    Post post = new Post(dst, inbox.getRef());
    assertThat(requests.take(post)).isNull();
    DocaError error = requests.take(post);
    assertThat(error).isNotNull();
    assertThat(error.about()).endsWith("an earlier request of consumer has it");
    requests.returnBuffers(post);
    dst.release();
  }

  @Test
  void aBufferIsProducedOnceAtATime() {
    ProduceRequests requests =
        new ProduceRequests("producer", new RemoteConsumers("connection", 1));
    TestInbox<ProducerReply> inbox = TestInbox.create();
    Buffer src = engine.buffer((byte) 1);
    Produce produce = new Produce(src, 1, 1, inbox.getRef());
    assertThat(requests.take(produce)).isNull();
    DocaError error = requests.take(produce);
    assertThat(error).isNotNull();
    assertThat(error.about()).endsWith("an earlier request of producer has it");
    requests.returnBuffers(produce);
    src.release();
  }
}

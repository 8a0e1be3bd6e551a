package io.dpuactors.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import io.dpuactors.fleet.FleetMessage.BlockContent;
import io.dpuactors.fleet.FleetMessage.FetchReply;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.apache.pekko.util.ByteString;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the parts of contents. */
class ContentPartsTest {
  private static final String TEXT = "content of a block";

  private final ContentParts parts = new ContentParts();

  private static List<BlockContent> split(int maxBytes) {
    ByteBuffer content = ByteBuffer.wrap(TEXT.getBytes(StandardCharsets.US_ASCII));
    List<FetchReply> parts = ContentParts.split(1, content, maxBytes);
    return parts.stream().map(BlockContent.class::cast).toList();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 5, 6, 17, 18, 19, FleetMessage.MAX_BLOCK_BYTES})
  void onlyTheLastPartCompletesAContent(int maxBytes) {
    List<BlockContent> all = split(maxBytes);
    assertThat(all).hasSize((TEXT.length() + maxBytes - 1) / maxBytes);
    for (int contents = 0; contents < 2; contents++) {
      all.subList(0, all.size() - 1).forEach(part -> assertThat(parts.add(part)).isNull());
      assertThat(parts.add(all.get(all.size() - 1))).isEqualTo(ByteString.fromString(TEXT));
    }
  }

  @Test
  void aContentWithALostPartIsNotComplete() {
    List<BlockContent> all = split(6);
    assertThat(parts.add(all.get(1))).as("without the first part").isNull();
    assertThat(parts.add(all.get(2))).isNull();
    assertThat(parts.add(all.get(0))).isNull();
    assertThat(parts.add(all.get(2))).as("without the second part").isNull();
    assertThat(parts.add(all.get(2))).as("with as many bytes as the content").isNull();
    assertThat(parts.add(all.get(0))).as("a new begin").isNull();
    assertThat(parts.add(all.get(1))).isNull();
    parts.clear();
    assertThat(parts.add(all.get(2))).as("after clear()").isNull();
  }

  @Test
  void onlyAContentWithTlsHasParts() {
    Config config = ConfigFactory.load();
    assertThat(ContentParts.maxBytes(config)).isEqualTo(FleetMessage.MAX_BLOCK_BYTES);
    Config tls = ConfigFactory.parseString("dpu.fleet.tls-dir = keys").withFallback(config);
    assertThat(ContentParts.maxBytes(tls)).isEqualTo(256 << 10);
  }
}

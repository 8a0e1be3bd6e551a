package io.dpuactors.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.dpuactors.protocol.ConnectionEvent.Message;
import io.dpuactors.protocol.ConnectionProtocol.Send;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** Tests the text in messages, and the text of messages in logs. */
class TextTest {
  @Test
  void textOfAnyLanguageSurvives() {
    String text = "größer → 大";
    byte[] sent = Send.orFail(text).bytes();
    assertThat(sent).hasSize(16);
    assertThat(new Message(sent).text()).isEqualTo(text);
  }

  @Test
  void printableBytesAreShownAsText() {
    assertThat(new Message(bytes(" hello~"))).hasToString("Message[7 bytes \" hello~\"]");
    assertThat(new Message(new byte[0])).hasToString("Message[0 bytes \"\"]");
    assertThat(Send.orFail("hello")).hasToString("Send[5 bytes \"hello\", tag=0]");
  }

  @Test
  void otherBytesAreShownInHexadecimal() {
    assertThat(new Message(bytes("a\n"))).hasToString("Message[2 bytes 610a]");
    assertThat(new Message(new byte[] {'a', 0x7f})).hasToString("Message[2 bytes 617f]");
    assertThat(new Message(new byte[] {-1})).hasToString("Message[1 bytes ff]");
  }

  @Test
  void atMost32BytesAreShown() {
    String most = "x".repeat(32);
    assertThat(new Message(bytes(most))).hasToString("Message[32 bytes \"" + most + "\"]");
    byte[] more = bytes(most + "\n");
    assertThat(new Message(more)).hasToString("Message[33 bytes \"" + most + "\"...]");
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }
}

package io.dpuactors.protocol.comch;

import static org.assertj.core.api.Assertions.assertThat;

import io.dpuactors.protocol.comch.ConnectionEvent.Message;
import io.dpuactors.protocol.comch.ConnectionProtocol.Send;
import org.junit.jupiter.api.Test;

/** Tests that messages carry text as UTF-8. */
class TextTest {
  @Test
  void textOfAnyLanguageSurvives() {
    String text = "größer → 大";
    byte[] sent = Send.orFail(text).bytes();
    assertThat(sent).hasSize(16);
    assertThat(new Message(sent).text()).isEqualTo(text);
  }
}

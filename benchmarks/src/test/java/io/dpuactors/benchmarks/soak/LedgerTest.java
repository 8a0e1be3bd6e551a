package io.dpuactors.benchmarks.soak;

import static org.assertj.core.api.Assertions.assertThat;

import io.dpuactors.benchmarks.soak.Ledger.Count;
import io.dpuactors.bridge.DocaCode;
import io.dpuactors.bridge.DocaError;
import io.dpuactors.protocol.RdmaConnectionProtocol.Completed;
import io.dpuactors.protocol.RdmaConnectionProtocol.Failed;
import io.dpuactors.protocol.RdmaConnectionProtocol.Reply;
import io.dpuactors.protocol.TaskReply.Ownership;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Checks the numbers of answers, and their JSON. */
class LedgerTest {
  private final Ledger ledger = new Ledger();
  private final Count count = ledger.of(Kind.RDMA);

  private long enter(boolean isRight) {
    return ledger.enter(Kind.RDMA, null, null, answer -> isRight);
  }

  private void answer(Reply reply) {
    ledger.answered(Kind.RDMA, Answer.of(reply));
  }

  private static Failed failed(long tag, String operation) {
    DocaError error = DocaError.of(operation, DocaCode.IO_FAILED.value(), "");
    return new Failed(tag, error, null, null, Ownership.RETURNED);
  }

  @Test
  void theSecondAnswerToARequestIsAViolation() {
    long tag = enter(true);
    answer(new Completed(tag, null, null));
    assertThat(ledger.violations()).isZero();
    answer(new Completed(tag, null, null));
    assertThat(count.doubled).hasValue(1);
    assertThat(ledger.violations()).isEqualTo(1);
  }

  @Test
  void wrongDataIsAViolation() {
    answer(new Completed(enter(false), null, null));
    assertThat(count.wrong).hasValue(1);
    assertThat(count.completed).hasValue(0);
  }

  @Test
  void aRequestWithoutAnAnswerIsAViolation() {
    enter(true);
    assertThat(ledger.open()).isEqualTo(1);
    ledger.countMissing();
    assertThat(count.missing).hasValue(1);
    assertThat(ledger.open()).isZero();
  }

  /** A request that has only waited for its connection has no effect. */
  @Test
  void anUnknownResultIsAnAnswer() {
    answer(failed(enter(true), "connection"));
    answer(failed(enter(true), "client"));
    assertThat(count.unknown).hasValue(1);
    assertThat(count.failed).hasValue(1);
    assertThat(count.open()).isZero();
    assertThat(ledger.violations()).isZero();
  }

  @Test
  void unknownResultsAreInTheJson() throws IOException {
    answer(failed(enter(true), "connection"));
    Memory memory = new Memory();
    memory.sample();
    String json = new SoakResult(1, ledger, memory, Map.of("nothing", 1), List.of()).json(5);
    assertThat(json.replaceAll("\\s", ""))
        .contains("\"good\":true")
        .contains("\"rdma\":{\"sent\":1,\"completed\":0,\"failed\":0,\"unknown\":1,\"busy\":0")
        .contains("\"sha_session\":{\"sent\":0");
  }
}

package io.dpuactors.service;

import io.dpuactors.bridge.DocaCode;
import io.dpuactors.bridge.DocaError;
import io.dpuactors.protocol.ConnectionProtocol;
import io.dpuactors.protocol.ConnectionProtocol.Send;
import io.dpuactors.wire.CompressMessage;
import io.dpuactors.wire.CompressMessage.Failed;
import io.dpuactors.wire.CompressMessage.Hello;
import io.dpuactors.wire.CompressMessage.Reason;
import io.dpuactors.wire.CompressMessage.Summary;
import io.dpuactors.wire.CompressMessage.Welcome;
import io.dpuactors.wire.WireException;
import java.time.Duration;
import java.util.function.Consumer;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.javadsl.TimerScheduler;
import org.jspecify.annotations.Nullable;

/**
 * The messages between a client of the compress service and its server: hello and welcome, then the
 * totals of both sides. A timer bounds each wait for a message or a member of the server.
 */
final class CompressDialog {
  private static final Duration ANSWER_LIMIT = Duration.ofSeconds(30);

  /** Timer message of the client to itself. */
  enum Tick {
    /** The server has not answered in time. Each start of the timer replaces the previous one. */
    LATE
  }

  private final ActorRef<ConnectionProtocol.Command> connection;
  private final TimerScheduler<Object> timers;
  private final Hello requested;
  private final BlockCrc totals;
  private final Consumer<Welcome> onWelcome;
  private @Nullable Welcome welcome;
  private boolean finishing;
  private boolean complete;

  /**
   * Creates a dialog.
   *
   * @param requested requested limits; the server may grant less
   * @param totals the client's totals
   * @param onWelcome accepts the granted limits
   */
  CompressDialog(
      ActorRef<ConnectionProtocol.Command> connection,
      TimerScheduler<Object> timers,
      Hello requested,
      BlockCrc totals,
      Consumer<Welcome> onWelcome) {
    this.connection = connection;
    this.timers = timers;
    this.requested = requested;
    this.totals = totals;
    this.onWelcome = onWelcome;
  }

  /** Sends the hello. */
  void begin() {
    ask(requested);
  }

  /** Ends the wait for the first answer. */
  void ready() {
    timers.cancel(Tick.LATE);
  }

  /**
   * Begins the wait for the next member, or ends it.
   *
   * @param blocks number of blocks without a member
   */
  void expectMembers(int blocks) {
    if (finishing) {
      return; // the server has this long for its totals
    }
    if (blocks == 0) {
      timers.cancel(Tick.LATE);
    } else {
      startTimer();
    }
  }

  /** Sends the totals. Idempotent. */
  void finish() {
    if (!finishing) {
      finishing = true;
      ask(totals.end());
    }
  }

  private void ask(CompressMessage message) {
    connection.tell(Send.orFail(message.encode()));
    startTimer();
  }

  private void startTimer() {
    timers.startSingleTimer(Tick.LATE, Tick.LATE, ANSWER_LIMIT);
  }

  /** Takes a message of the server. Returns its error, or null. */
  @Nullable DocaError on(byte[] message) {
    try {
      CompressMessage decoded = CompressMessage.decode(message);
      if (decoded instanceof Welcome granted && welcome == null) {
        return on(granted);
      }
      if (decoded instanceof Summary summary && finishing) {
        return on(summary);
      }
      if (decoded instanceof Failed failed) {
        return error(DocaCode.CONNECTION_ABORTED, "the server reports: " + failed.line());
      }
      return protocolError("unexpected message from the server: " + decoded);
    } catch (WireException e) {
      return protocolError(String.valueOf(e.getMessage()));
    }
  }

  private @Nullable DocaError on(Welcome granted) {
    if (!granted.isWithin(requested)) {
      return protocolError("the server grants more than the client requested: " + granted);
    }
    welcome = granted;
    onWelcome.accept(granted);
    return null;
  }

  private @Nullable DocaError on(Summary summary) {
    complete = summary.agreesWith(totals.end());
    return complete
        ? null
        : protocolError("the server's totals differ from the client's: " + summary);
  }

  /** Reports an error of the server to the server. */
  private DocaError protocolError(String why) {
    connection.tell(Send.orFail(new Failed(Reason.PROTOCOL, why).encode()));
    return error(DocaCode.UNEXPECTED, why);
  }

  /** Returns the error of a message or a member that has not arrived in time. */
  static DocaError late() {
    return error(
        DocaCode.TIME_OUT,
        "the server did not answer within %d s".formatted(ANSWER_LIMIT.toSeconds()));
  }

  static DocaError error(DocaCode code, String why) {
    return DocaError.of("remote compress", code, why);
  }

  /** Returns the granted limits; null before the welcome. */
  @Nullable Welcome welcome() {
    return welcome;
  }

  /** Returns whether the client sends no more blocks. */
  boolean isFinishing() {
    return finishing;
  }

  /** Returns whether both sides have the same totals. */
  boolean isComplete() {
    return complete;
  }
}

package io.dpuactors.fleet;

import io.dpuactors.fleet.Refusals.Reason;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.pekko.event.Logging;
import org.apache.pekko.event.Logging.LogEvent;
import org.apache.pekko.event.slf4j.Slf4jLogger;
import org.apache.pekko.japi.pf.ReceiveBuilder;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import scala.PartialFunction;
import scala.runtime.BoxedUnit;

/**
 * Pekko's logger of a member. The logger counts the events that hostile peers cause, which Artery
 * would log one by one. The logger keeps the reasons of failed connections from this member. All
 * other events pass to SLF4J. The key {@code pekko.loggers} names this class.
 */
public final class FleetLogger extends Slf4jLogger {
  private static final String ARTERY = "org.apache.pekko.remote.artery.";

  /** A warning of Artery about a connection from this member: its address and its cause. */
  private static final Pattern FAILED =
      Pattern.compile("outbound connection to \\[[^]]*@([^]]*)].*cause: (?:.*because of )?(.*)");

  /** A connection from this member that its peer has ended: its address. */
  private static final Pattern ENDED =
      Pattern.compile("outbound connection to \\[[^]]*@([^]]*)].*Upstream finished");

  /** A connection to this member that sent damaged bytes: its address and its cause. */
  private static final Pattern ABORTED =
      Pattern.compile(
          "Aborting connection from (\\S+) because .*((?:FramingException|Unexpected streamId).*)");

  private static final String ENDED_TEXT =
      "the node ended the connection; if it uses TLS, set dpu.fleet.tls-dir";

  /** Text for users by a part of the cause. */
  private static final Map<Pattern, String> CAUSES = new LinkedHashMap<>();

  static {
    cause("alert.*(certifica|unknown_ca)", "the node refused the certificate of this member");
    cause("certifica|PKIX", "the certificate of the node is not of the CA of this member");
    cause("UnknownHostException", "the name has no address");
  }

  private final PartialFunction<Object, BoxedUnit> slf4j = super.receive();

  /** Called by Pekko. */
  public FleetLogger() {}

  /** Returns the logger of Pekko's class: its line at the start does not belong to this program. */
  @Override
  public Logger log() {
    return LoggerFactory.getLogger(Slf4jLogger.class);
  }

  private static void cause(String pattern, String text) {
    CAUSES.put(Pattern.compile(pattern), text);
  }

  @Override
  public PartialFunction<Object, BoxedUnit> receive() {
    return ReceiveBuilder.create()
        .match(Logging.Debug.class, this::onDebug)
        .match(LogEvent.class, event -> isOf(event, "Decoder"), event -> count(Reason.FRAME, event))
        .match(Logging.Error.class, event -> isOf(event, "Deserializer"), this::countMessage)
        .match(Logging.Warning.class, this::onWarning)
        .build()
        .onMessage()
        .orElse(slf4j);
  }

  /** Subscribes to the events of {@link FleetLoggingFilter}, also without the level debug. */
  @Override
  public void preStart() throws Exception {
    super.preStart();
    context().system().eventStream().subscribe(self(), Logging.Debug.class);
  }

  private void onDebug(Logging.Debug event) {
    String message = String.valueOf(event.message());
    Matcher aborted = ABORTED.matcher(message);
    if (aborted.find()) {
      refusals().count(Reason.FRAME, aborted.group(1) + ": " + aborted.group(2));
      return;
    }
    Matcher ended = ENDED.matcher(message);
    if (ended.find() && isPlain()) {
      refusals().failed(ended.group(1), ENDED_TEXT);
    }
    slf4j.apply(event);
  }

  /** A node with TLS answers a plain connection only by its end. */
  private boolean isPlain() {
    return context().system().settings().config().getString("dpu.fleet.tls-dir").isEmpty();
  }

  /**
   * A stage of Artery has dropped a frame. The warnings and errors of this stage have no other
   * reason.
   */
  private static boolean isOf(LogEvent event, String stage) {
    return event.level() <= Logging.WarningLevel()
        && event.logClass().getName().equals(ARTERY + stage);
  }

  private void count(Reason reason, LogEvent event) {
    refusals().count(reason, String.valueOf(event.message()));
  }

  private void countMessage(Logging.Error event) {
    refusals().count(Reason.PROTOCOL, event.message() + " " + event.cause().getMessage());
  }

  private void onWarning(Logging.Warning event) {
    Matcher failed = FAILED.matcher(String.valueOf(event.message()));
    if (failed.find()) {
      String cause = failed.group(2);
      refusals()
          .failed(
              failed.group(1),
              CAUSES.entrySet().stream()
                  .filter(one -> one.getKey().matcher(cause).find())
                  .map(Map.Entry::getValue)
                  .findFirst()
                  .orElse(cause));
    }
    slf4j.apply(event);
  }

  private Refusals refusals() {
    return Refusals.of(context().system());
  }
}

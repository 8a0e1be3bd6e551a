package io.dpuactors.service;

import static org.assertj.core.api.Assertions.assertThat;

import io.dpuactors.protocol.EngineProtocol;
import io.dpuactors.protocol.MemoryProtocol.ImportRemoteMemory;
import io.dpuactors.protocol.MemoryProtocol.OpenPool;
import io.dpuactors.protocol.MemoryProtocol.PoolOpened;
import io.dpuactors.protocol.RdmaConnectionProtocol;
import io.dpuactors.protocol.RdmaConnectionProtocol.Completed;
import io.dpuactors.protocol.RdmaConnectionProtocol.Event;
import io.dpuactors.protocol.RdmaConnectionProtocol.Message;
import io.dpuactors.protocol.RdmaConnectionProtocol.Send;
import io.dpuactors.protocol.RdmaProtocol;
import io.dpuactors.service.RdmaMeter.Load;
import io.dpuactors.service.RdmaMeter.Measured;
import io.dpuactors.service.RdmaMeter.MeterFailed;
import io.dpuactors.service.RdmaMeter.MeterOptions;
import io.dpuactors.service.RdmaMeter.Operation;
import io.dpuactors.service.RdmaMeter.Ready;
import io.dpuactors.service.RdmaMeter.Result;
import io.dpuactors.service.RdmaMeter.Run;
import io.dpuactors.testing.CleanLog;
import io.dpuactors.testkit.HeapBuffers;
import io.dpuactors.wire.RdmaOffer;
import java.time.Duration;
import java.util.OptionalInt;
import org.apache.pekko.actor.testkit.typed.javadsl.ActorTestKit;
import org.apache.pekko.actor.testkit.typed.javadsl.ManualTime;
import org.apache.pekko.actor.testkit.typed.javadsl.TestProbe;
import org.apache.pekko.actor.typed.ActorRef;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Tests the client of the RDMA service with a silent server, on a manual clock. */
@ExtendWith(CleanLog.class)
class SilentRdmaServerTest {
  private static final int BYTES = 64;
  private static final Duration LIMIT = Duration.ofSeconds(4);
  private static final Duration BEFORE = LIMIT.minusSeconds(1);
  private static final String WHY = "the server sent nothing for 4 s";

  private final ActorTestKit kit = ServiceRig.manualTime();
  private final ManualTime time = ManualTime.get(kit.system());
  private final TestProbe<RdmaConnectionProtocol.Command> connection = kit.createTestProbe();
  private final TestProbe<EngineProtocol.Command> engine = kit.createTestProbe();
  private final TestProbe<RdmaProtocol.Command> context = kit.createTestProbe();
  private final TestProbe<Result> results = kit.createTestProbe();

  @AfterEach
  void shutdown() {
    kit.shutdownTestKit();
  }

  @Test
  void aServerWithoutAnOfferIsLeft() {
    meter();
    time.expectNoMessageFor(BEFORE, results);
    time.timePasses(LIMIT);
    assertThat(results.expectMessageClass(MeterFailed.class).why()).isEqualTo(WHY);
  }

  /** The client waits for its engine, for its program, and for a task, which has a deadline. */
  @Test
  void aServerThatOwesNoMessageMayBeSilent() {
    ActorRef<Event> meter = meter();
    offer(meter);
    ImportRemoteMemory imports = engine.expectMessageClass(ImportRemoteMemory.class);
    time.timePasses(LIMIT.multipliedBy(2));
    ActorRef<RdmaMeter.Command> ready = ready(imports);
    time.timePasses(LIMIT.multipliedBy(2));
    send(ready, 1, false);
    Send task = connection.expectMessageClass(Send.class);
    time.timePasses(LIMIT.multipliedBy(2));
    complete(task);
    assertThat(results.receiveMessage()).isInstanceOf(Measured.class);
  }

  @Test
  void aServerThatHandlesNoMessageIsLeft() {
    ActorRef<Event> meter = meter();
    offer(meter);
    ActorRef<RdmaMeter.Command> ready = ready(engine.expectMessageClass(ImportRemoteMemory.class));
    send(ready, RdmaOffer.UNHANDLED + 1, false);
    for (int i = 0; i < RdmaOffer.UNHANDLED; i++) {
      complete();
    }
    time.timePasses(LIMIT.plus(LIMIT));
    assertThat(results.expectMessageClass(MeterFailed.class).why()).isEqualTo(WHY);
  }

  @Test
  void aServerWithoutAReportIsLeft() {
    ActorRef<Event> meter = meter();
    offer(meter);
    ActorRef<RdmaMeter.Command> ready = ready(engine.expectMessageClass(ImportRemoteMemory.class));
    send(ready, 1, true);
    complete(); // the request to check
    complete();
    complete(); // the request of the report
    time.timePasses(LIMIT.plus(LIMIT));
    assertThat(results.expectMessageClass(MeterFailed.class).why()).isEqualTo(WHY);
  }

  private ActorRef<Event> meter() {
    MeterOptions options =
        new MeterOptions(
            engine.getRef(), context.getRef(), ServiceRig.HOST, BYTES, 1, 1, timeNs -> {});
    return kit.spawn(RdmaMeter.of(options, LIMIT, results.getRef()).serve(connection.getRef()));
  }

  private static void offer(ActorRef<Event> meter) {
    byte[] offer = new RdmaOffer(0, BYTES, BYTES, new byte[2]).encode();
    meter.tell(new Message(offer, OptionalInt.empty()));
  }

  private ActorRef<RdmaMeter.Command> ready(ImportRemoteMemory imports) {
    imports.replyTo().tell(new PoolOpened(HeapBuffers.pool(1, BYTES)));
    OpenPool open = engine.expectMessageClass(OpenPool.class);
    open.replyTo().tell(new PoolOpened(HeapBuffers.pool(1, BYTES)));
    return results.expectMessageClass(Ready.class).meter();
  }

  private void send(ActorRef<RdmaMeter.Command> meter, long count, boolean verify) {
    meter.tell(new Run(new Load(Operation.SEND, BYTES, count, verify), results.getRef()));
    complete(); // the begin of the session
  }

  private void complete() {
    complete(connection.expectMessageClass(Send.class));
  }

  private static void complete(Send send) {
    send.replyTo().tell(new Completed(send.tag(), send.src(), null));
  }
}

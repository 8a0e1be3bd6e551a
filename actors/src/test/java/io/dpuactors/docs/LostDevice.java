package io.dpuactors.docs;

import static io.dpuactors.docs.HelloCompress.ask;

import io.dpuactors.bridge.Buffer;
import io.dpuactors.bridge.SoftDpu;
import io.dpuactors.protocol.CompressProtocol;
import io.dpuactors.protocol.CompressProtocol.Deflate;
import io.dpuactors.protocol.TaskReply;
import java.util.List;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.ActorSystem;

/** The device is lost during a task, and the context restarts. */
final class LostDevice {
  private LostDevice() {}

  static List<TaskReply> run(
      SoftDpu device,
      ActorRef<CompressProtocol.Command> compress,
      Buffer src,
      Buffer dst,
      ActorSystem<?> system) {
    // tag::lost[]
    device.faults("compress-deflate:lost:nth=1"); // the next task loses the device
    TaskReply first = ask(compress, me -> new Deflate(src, dst, me), system); // Failed, RETURNED
    device.clearFaults();
    TaskReply second = ask(compress, me -> new Deflate(src, dst, me), system); // Completed
    // end::lost[]
    return List.of(first, second);
  }
}

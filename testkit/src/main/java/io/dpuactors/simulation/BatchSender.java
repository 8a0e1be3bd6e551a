package io.dpuactors.simulation;

import io.dpuactors.bridge.Buffer;
import io.dpuactors.bridge.BufferPool;
import io.dpuactors.bridge.TaskBatch;
import io.dpuactors.bridge.TaskBuffers;
import io.dpuactors.protocol.BatchReply;
import io.dpuactors.protocol.BatchReply.Ended;
import java.util.ArrayList;
import java.util.List;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.jspecify.annotations.Nullable;

/** Sends batches of a client. Some batches run several times, each time with other content. */
final class BatchSender {
  /** Largest number of tasks of a batch. */
  static final int MOST = 12;

  /** Chance of another run of a batch, in percent. */
  private static final int AGAIN = 50;

  /** Chance of a receiver that ends soon, in percent. */
  private static final int MORTAL = 4;

  private final Run run;
  private final TaskModel model;
  private final SentRequests sent;

  BatchSender(Run run, TaskModel model, SentRequests sent) {
    this.run = run;
    this.model = model;
    this.sent = sent;
  }

  /**
   * Sends a batch.
   *
   * @param first buffers of its first task
   * @param from buffers of the others, as far as there are any
   */
  void send(
      ActorContext<Object> client,
      TaskBuffers.Pair first,
      TaskBuffers from,
      ActorRef<Object> tasks) {
    List<TaskModel.Work> works = draw(run.draw(1, MOST));
    List<Buffer> sources = new ArrayList<>(List.of(first.src()));
    List<Buffer> destinations = new ArrayList<>(List.of(first.dst()));
    while (sources.size() < works.size()) {
      TaskBuffers.Pair next = from.lease();
      if (next == null) {
        break;
      }
      sources.add(next.src());
      destinations.add(next.dst());
    }
    run(client, TaskBatch.of(sources, destinations), works, tasks);
  }

  /** Draws requests, and returns those that form a batch with the first. */
  private List<TaskModel.Work> draw(int most) {
    List<TaskModel.Work> works = new ArrayList<>();
    for (int i = 0; i < most; i++) {
      TaskModel.Work work = model.draw(run);
      if (works.isEmpty() || work.batchKey().equals(works.get(0).batchKey())) {
        works.add(work);
      }
    }
    return works;
  }

  private void run(
      ActorContext<Object> client,
      TaskBatch batch,
      List<TaskModel.Work> drawn,
      ActorRef<Object> tasks) {
    List<TaskModel.Work> works = List.copyOf(drawn.subList(0, batch.size()));
    for (int task = 0; task < batch.size(); task++) {
      byte[] input = works.get(task).input();
      batch.sources().get(task).bytes().clear().put(input);
      batch.sourceLength(task, input.length);
    }
    long tag = sent.nextTag();
    if (run.chance(MORTAL)) {
      tasks.tell(works.get(0).batch(works, batch, tag, MortalReceiver.spawn(client, run)));
    } else {
      Object message = works.get(0).batch(works, batch, tag, client.getSelf().narrow());
      tasks.tell(sent.addBatch(message, works));
    }
  }

  /**
   * Runs the batch of an answer again, or returns its buffers.
   *
   * @param from the buffers of the context
   * @param tasks the context; null: no request may be sent
   */
  void answered(
      ActorContext<Object> client,
      BatchReply reply,
      @Nullable TaskBuffers from,
      @Nullable ActorRef<Object> tasks) {
    TaskBatch batch = reply.batch();
    if (reply instanceof Ended && tasks != null && from != null && run.chance(AGAIN)) {
      List<TaskModel.Work> works = draw(3 * batch.size());
      BufferPool pool = batch.sources().get(0).pool();
      if (works.size() >= batch.size()
          && from.parts().stream().anyMatch(part -> part.sources() == pool)) {
        run.reached("batch again");
        run(client, batch, works, tasks);
        return;
      }
    }
    MortalReceiver.release(reply);
  }
}

package io.dpuactors.rdma;

import io.dpuactors.bridge.internal.Device;
import io.dpuactors.context.RestartHistory;
import io.dpuactors.node.EngineCore;
import io.dpuactors.node.RdmaLoad;
import java.util.Objects;
import org.apache.pekko.actor.typed.ActorRef;
import org.jspecify.annotations.Nullable;

/** The state of an RDMA context that survives its restarts. Engine's thread. */
final class RdmaHost {
  private final EngineCore core;
  private final RdmaSettings settings;
  private final RestartHistory history;
  private @Nullable RdmaLoad load;
  private @Nullable ActorRef<Object> listener;

  RdmaHost(EngineCore core, RdmaSettings settings) {
    this.core = core;
    this.settings = settings;
    this.history = new RestartHistory(settings.restart());
  }

  EngineCore core() {
    return core;
  }

  RdmaSettings settings() {
    return settings;
  }

  RestartHistory history() {
    return history;
  }

  /**
   * Opens the device of the context.
   *
   * @throws io.dpuactors.bridge.DocaException without such a device
   */
  Device device() {
    return core.devices().open(settings.device(), Device::isRdmaSupported, "connect peers (RDMA)");
  }

  /** Sets the load of the current incarnation. */
  void begun(RdmaLoad fresh) {
    load = fresh;
  }

  /** Returns the load of the current incarnation. */
  RdmaLoad load() {
    return Objects.requireNonNull(load, "the load of a context that has begun");
  }

  /** Sets the listener that listens again after a restart. */
  void listening(ActorRef<Object> current) {
    listener = current;
  }

  /** Removes a listener that has stopped to listen. */
  void notListening(ActorRef<Object> former) {
    if (former.equals(listener)) {
      listener = null;
    }
  }

  /** Lets the listener listen, because the context runs. */
  void running() {
    if (listener != null) {
      listener.tell(RdmaListener.Again.INSTANCE);
    }
  }
}

package io.dpuactors.node;

import io.dpuactors.bridge.DocaError;
import io.dpuactors.bridge.TaskKind;
import io.dpuactors.bridge.TaskLimits;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The load of a context whose connections are nodes. They share the context's budget of tasks.
 * Engine's thread.
 *
 * @param <C> the connections
 */
abstract class ConnectionsLoad<C extends LoadedNode<?>> implements ContextLoad {
  final EngineCore core;
  final String name;

  /** Connections of which something native is left, by their numbers in the bridge. */
  final Map<Integer, C> connections = new HashMap<>();

  /** Number of tasks on the device and in the bridge at once, over all connections. */
  final int tasks;

  private @Nullable TaskBudget budget;
  private @Nullable LoadedNode<?> node;

  /** Number of connections that have not ended. Connections that were abandoned do not count. */
  private int open;

  /** Creates the load of a context that does not run yet. */
  ConnectionsLoad(EngineCore core, String name, int tasks) {
    this.core = core;
    this.name = name;
    this.tasks = tasks;
  }

  @Override
  public void belongTo(LoadedNode<?> carrier) {
    node = carrier;
  }

  /** Reads the state of the context, because a task of a connection was refused. */
  final void look() {
    if (node != null) {
      node.look();
    }
  }

  /** Returns the PCI address of the context's device. */
  final String device() {
    return node == null ? "" : node.device();
  }

  @Override
  public void reserve(String context, Map<TaskKind, TaskLimits> configured) {
    budget = core.tasks().reserve(context, tasks);
  }

  @Override
  public void destroyed() {
    TaskBudget own = budget;
    if (own != null) {
      budget = null;
      own.close();
    }
  }

  final TaskBudget budget() {
    return Objects.requireNonNull(budget, "the budget of a context that has started");
  }

  /** Adds a connection to the turns. */
  final C add(C fresh) {
    open++;
    return core.nodes().add(fresh);
  }

  final int openConnections() {
    return open;
  }

  /** Counts a connection that is gone or was abandoned. */
  void ended(C connection) {
    open--;
  }

  /** Refuses new connections from now on. Idempotent; the first reason counts. */
  abstract void refuse(DocaError reason);

  /** Refuses new connections and closes the existing ones. */
  @Override
  public final void close(DocaError reason) {
    refuse(reason);
    List.copyOf(connections.values()).forEach(LoadedNode::stop);
  }

  /** Refuses new connections and fails the existing ones with the reason. */
  @Override
  public final void fail(DocaError reason) {
    refuse(reason);
    List.copyOf(connections.values()).forEach(one -> one.broken(reason));
  }

  @Override
  public int inFlight() {
    return connections.values().stream().mapToInt(one -> one.load().inFlight()).sum();
  }

  @Override
  public final boolean mayStop() {
    return open == 0;
  }

  /** Does nothing: connections are nodes with turns. */
  @Override
  public void turn(long nowNs, NextTurn next) {}

  @Override
  public void expireAll() {
    connections.values().forEach(one -> one.load().expireAll());
  }
}

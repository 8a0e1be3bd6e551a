package io.dpuactors.node;

import io.dpuactors.bridge.CompletionRing;
import io.dpuactors.bridge.DocaContext;
import io.dpuactors.bridge.DocaError;
import io.dpuactors.bridge.TaskKind;
import io.dpuactors.bridge.TaskLimits;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What a server carries: its connections. Engine's thread. */
public final class ServerLoad implements ContextLoad {
  private static final Logger LOG = LoggerFactory.getLogger(ServerLoad.class);

  private final EngineCore core;
  private final String name;
  private final LinkSettings settings;
  private final int maxConnections;
  private final Credit credit;
  private final Map<Integer, ConnectionNode> connections = new HashMap<>();
  private @Nullable Consumer<ConnectionNode> acceptor;
  private @Nullable DocaContext server;
  private @Nullable TaskBudget budget;

  /** Connections that have not ended; those that were given up are no longer among them. */
  private int open;

  private long accepted;
  private long refused;

  /**
   * Of a server that does not run yet.
   *
   * @param maxConnections more are refused
   * @param sendTasks messages in flight at once, over all connections
   * @param acceptor takes each new connection over: calls {@link ConnectionNode#own}
   */
  public ServerLoad(
      EngineCore core,
      String name,
      LinkSettings settings,
      int maxConnections,
      int sendTasks,
      Consumer<ConnectionNode> acceptor) {
    this.core = core;
    this.name = name;
    this.settings = settings;
    this.maxConnections = maxConnections;
    this.credit = new Credit(sendTasks, settings.lane().queue());
    this.acceptor = acceptor;
  }

  /** Connections since the server started. */
  public long accepted() {
    return accepted;
  }

  /** Attempts that failed, came too late, or were more than the limit. */
  public long refused() {
    return refused;
  }

  @Override
  public void reserve(String context, Map<TaskKind, TaskLimits> configured) {
    budget = core.tasks().reserve(context, credit.most());
  }

  @Override
  public void destroyed() {
    TaskBudget own = budget;
    if (own != null) {
      budget = null;
      own.close();
    }
  }

  /** What waits for one of the server's tasks waits in one queue, whichever connection it is of. */
  @Override
  public void open(DocaContext running, Map<TaskKind, TaskLimits> configured) {
    server = running;
    running.queue(TaskKind.COMCH_SERVER_SEND, credit.most());
  }

  @Override
  public void onEvent(CompletionRing record) {
    switch (record.type()) {
      case CONNECTED -> onConnected(record);
      case DISCONNECTED -> {
        // It stays among them: what depends on it must end before the server can.
        ConnectionNode gone = connections.get(record.connection());
        if (gone != null) {
          gone.peerGone();
        }
      }
      default -> {
        ConnectionNode known = connections.get(record.connection());
        if (known != null) {
          deliver(record, known);
        }
      }
    }
  }

  /** An exception is the failure of that connection. */
  private static void deliver(CompletionRing record, ConnectionNode connection) {
    try {
      connection.link().onEvent(record);
    } catch (RuntimeException e) {
      connection.fail(e);
    }
  }

  private void onConnected(CompletionRing record) {
    DocaContext running = server;
    TaskBudget common = budget;
    if (record.status() != 0 || running == null || common == null) {
      refused++;
      LOG.debug("{}: an attempt to connect failed with {}", name, record.status());
      return;
    }
    boolean full = open >= maxConnections;
    String connectionName = name + "/connection-" + (accepted + refused + 1);
    ConnectionNode fresh =
        core.add(
            new ConnectionNode(
                core,
                connectionName,
                core.nextId(),
                running,
                record.connection(),
                settings,
                this,
                common));
    open++;
    connections.put(record.connection(), fresh);
    if (acceptor == null || full) {
      refused++;
      LOG.debug("{} is refused: {}", connectionName, full ? "too many connections" : "stopping");
      fresh.abandon();
    } else {
      accepted++;
      acceptor.accept(fresh);
    }
  }

  /** A connection is gone, or was given up. */
  void ended(ConnectionNode connection) {
    open--;
    if (connection.isGone()) {
      gone(connection);
    }
  }

  /** Nothing of a connection is left. */
  void gone(ConnectionNode connection) {
    connections.remove(connection.link().handle(), connection);
  }

  /** Whoever comes from now on is refused; connections end. */
  @Override
  public void close(DocaError reason) {
    acceptor = null;
    List.copyOf(connections.values()).forEach(ConnectionNode::retire);
  }

  /** The same, for a reason that those who serve connections are told. */
  @Override
  public void breakOff(DocaError reason) {
    acceptor = null;
    List.copyOf(connections.values()).forEach(node -> node.broken(reason));
  }

  /** Whoever comes from now on is refused. */
  public void stopAccepting() {
    acceptor = null;
  }

  @Override
  public int inFlight() {
    return connections.values().stream().mapToInt(node -> node.link().inFlight()).sum();
  }

  @Override
  public boolean mayStop() {
    return open == 0;
  }

  /** Connections have turns of their own. */
  @Override
  public void turn(long nowNs, NextTurn next) {}

  @Override
  public void expireAll() {
    connections.values().forEach(node -> node.link().expireAll());
  }
}

package io.dpuactors.node;

import io.dpuactors.bridge.DocaError;
import io.dpuactors.bridge.TaskKind;
import io.dpuactors.bridge.TaskLimits;
import io.dpuactors.bridge.internal.CompletionRing;
import io.dpuactors.bridge.internal.DocaContext;
import io.dpuactors.loop.EngineLog;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The load of a server: its connections. Engine's thread. */
public final class ServerLoad extends ConnectionsLoad<ConnectionNode> {
  private static final Logger LOG = LoggerFactory.getLogger(ServerLoad.class);

  private final LinkSettings settings;
  private final int maxConnections;
  private @Nullable Consumer<ConnectionNode> acceptor;
  private @Nullable DocaContext server;
  private long accepted;
  private long refused;

  /**
   * Creates the load of a server that does not run yet.
   *
   * @param maxConnections further connections are refused
   * @param sendTasks messages in flight at once, over all connections
   * @param acceptor takes over each new connection: calls {@link ConnectionNode#own}
   */
  public ServerLoad(
      EngineCore core,
      String name,
      LinkSettings settings,
      int maxConnections,
      int sendTasks,
      Consumer<ConnectionNode> acceptor) {
    super(core, name, new Credit(sendTasks, settings.lane().queue()).most());
    this.settings = settings;
    this.maxConnections = maxConnections;
    this.acceptor = acceptor;
  }

  /** Returns the number of accepted connections since the server started. */
  public long accepted() {
    return accepted;
  }

  /** Returns the number of connection attempts that failed, were late, or exceeded the limit. */
  public long refused() {
    return refused;
  }

  /** Gives the messages of all connections one queue in the bridge. */
  @Override
  public void open(DocaContext running, Map<TaskKind, TaskLimits> configured) {
    server = running;
    running.queue(TaskKind.COMCH_SERVER_SEND, tasks);
  }

  @Override
  public void onEvent(CompletionRing record) {
    switch (record.type()) {
      case CONNECTED -> onConnected(record);
      case DISCONNECTED -> {
        // The connection stays in the map: its consumers and producers must end before the server
        // can.
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

  /** Delivers a record to its connection. An exception fails only that connection. */
  private static void deliver(CompletionRing record, ConnectionNode connection) {
    try {
      connection.link().onEvent(record);
    } catch (RuntimeException e) {
      connection.fail(e);
    }
  }

  private void onConnected(CompletionRing record) {
    DocaContext running = server;
    if (record.status() != 0 || running == null) {
      refused++;
      log().debug("{}: an attempt to connect failed with {}", name, record.status());
      return;
    }
    boolean full = openConnections() >= maxConnections;
    String connectionName = name + "/connection-" + (accepted + refused + 1);
    ConnectionNode fresh =
        add(
            new ConnectionNode(
                core,
                connectionName,
                core.nodes().nextId(),
                running,
                record.connection(),
                settings,
                this,
                budget()));
    connections.put(record.connection(), fresh);
    if (acceptor == null || full) {
      refused++;
      fresh
          .log(LOG)
          .debug("{} is refused: {}", connectionName, full ? "too many connections" : "stopping");
      fresh.close();
    } else {
      accepted++;
      acceptor.accept(fresh);
    }
  }

  private EngineLog log() {
    return core.log(() -> LOG).context(name).device(device());
  }

  /** Removes a connection of which nothing native is left. */
  void gone(ConnectionNode connection) {
    connections.remove(connection.link().handle(), connection);
  }

  @Override
  void refuse(DocaError reason) {
    stopAccepting();
  }

  /** Refuses new connections. */
  public void stopAccepting() {
    acceptor = null;
  }
}

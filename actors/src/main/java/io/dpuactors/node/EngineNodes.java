package io.dpuactors.node;

import io.dpuactors.bridge.DocaError;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The nodes of an engine: contexts and connections. Engine's thread. */
final class EngineNodes {
  private final Map<Long, Node> nodes = new LinkedHashMap<>();
  private final Set<String> occupied = new HashSet<>();
  private final Agenda agenda = new Agenda(node -> nodes.remove(node.id()));
  private long nextId = 1;

  /** Returns the schedule of the nodes. */
  Agenda agenda() {
    return agenda;
  }

  /** Returns an unused id for a new node. */
  long nextId() {
    return nextId++;
  }

  /** Returns the id of the next new node. */
  long unusedId() {
    return nextId;
  }

  /** Ends the node with this id and all later ones at once. */
  void closeFrom(long id) {
    List.copyOf(nodes.values()).stream().filter(node -> node.id() >= id).forEach(Node::close);
  }

  /** Adds a node to the turns. */
  <N extends Node> N add(N node) {
    nodes.put(node.id(), node);
    node.schedule();
    return node;
  }

  /** Returns the node with this id, or null if it is gone. */
  @Nullable Node find(long id) {
    return nodes.get(id);
  }

  boolean isEmpty() {
    return nodes.isEmpty();
  }

  void occupy(String name) {
    occupied.add(name);
  }

  void vacate(String name) {
    occupied.remove(name);
  }

  /** Returns whether another node of this name must end before one can open. */
  boolean isOccupied(String name) {
    return occupied.contains(name);
  }

  /** Ends every node at once. The following turns destroy them. */
  void close() {
    nodes.values().forEach(Node::close);
  }

  /**
   * Answers all pending requests, because no turn will follow.
   *
   * @param left receives descriptions of the nodes that are not gone
   */
  void failRequests(DocaError reason, List<String> left) {
    nodes.values().forEach(node -> left.add(node.toString()));
    nodes.values().forEach(node -> EngineCore.attempt(() -> node.failRequests(reason), left));
  }
}

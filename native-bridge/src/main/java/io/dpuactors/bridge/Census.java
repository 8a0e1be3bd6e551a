package io.dpuactors.bridge;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.function.IntSupplier;

/**
 * What an engine has open. Empty when everything that was made was given back. Thread: any; a count
 * that is asked while others open and close is one that was true a moment ago.
 */
public final class Census {
  /** What is counted. */
  public enum Resource {
    DEVICE,
    REPRESENTOR,
    CONTEXT,
    MEMORY_MAP,
    BUFFER_INVENTORY,
    BUFFER_POOL,
    LEASE,
    TASK;

    private static final Resource[] ALL = values();
  }

  private record Watch(Resource resource, IntSupplier count) {}

  private final AtomicIntegerArray opened = new AtomicIntegerArray(Resource.ALL.length);
  private final List<Watch> watches = new CopyOnWriteArrayList<>();

  /** An empty census. */
  public Census() {}

  /** Counts one more. */
  public void opened(Resource resource) {
    opened.incrementAndGet(resource.ordinal());
  }

  /** Counts one less. */
  public void closed(Resource resource) {
    opened.decrementAndGet(resource.ordinal());
  }

  /** Adds a supplier that is asked on every count; for what changes too often to be told. */
  public void watch(Resource resource, IntSupplier count) {
    watches.add(new Watch(resource, count));
  }

  /** Takes a supplier away that {@link #watch} was given. */
  void unwatch(IntSupplier count) {
    watches.removeIf(watch -> watch.count == count);
  }

  /** How many of a resource are open. */
  public int count(Resource resource) {
    int count = opened.get(resource.ordinal());
    for (Watch watch : watches) {
      if (watch.resource == resource) {
        count += watch.count.getAsInt();
      }
    }
    return count;
  }

  /** Whether nothing is open. */
  public boolean isEmpty() {
    return snapshot().isEmpty();
  }

  /** Resources of which something is open, with their numbers, in the order of {@link Resource}. */
  public Map<Resource, Integer> snapshot() {
    Map<Resource, Integer> counts = new EnumMap<>(Resource.class);
    for (Resource resource : Resource.ALL) {
      int count = count(resource);
      if (count != 0) {
        counts.put(resource, count);
      }
    }
    return counts;
  }

  /** "empty", or what is open: "2 CONTEXT, 1 LEASE". */
  @Override
  public String toString() {
    StringJoiner text = new StringJoiner(", ").setEmptyValue("empty");
    snapshot().forEach((resource, count) -> text.add(count + " " + resource));
    return text.toString();
  }
}

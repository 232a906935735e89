package streamrun.flink;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** A key that the worker holds. */
final class HeldKey {
  /** The wake that the timer of the key is for. */
  long wake;
  /** The batch that the key was last in. */
  long lastBatch;
  /** The items of the key in that batch; null after it was sent. */
  Group group;

  HeldKey(long wake) {
    this.wake = wake;
  }

  /** Removes keys, those that were used the longest ago, and returns them. */
  static List<String> removeOldest(Map<String, HeldKey> held, int count) {
    long[] uses = held.values().stream().mapToLong(known -> known.lastBatch).sorted().toArray();
    long latest = uses[count - 1];
    List<String> removed = new ArrayList<>();
    for (var keys = held.entrySet().iterator(); removed.size() < count && keys.hasNext(); ) {
      var entry = keys.next();
      if (entry.getValue().lastBatch <= latest) {
        removed.add(entry.getKey());
        keys.remove();
      }
    }
    return removed;
  }
}

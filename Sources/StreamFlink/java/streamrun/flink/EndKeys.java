package streamrun.flink;

import org.apache.flink.runtime.state.KeyGroupRangeAssignment;

/**
 * Keys of the records that tell a stage that a router has ended.
 *
 * <p>There is one for each key group, so that each subtask of the stage receives some, and so that the time which they
 * carry is keyed state: it moves with the key group when the job is rescaled.
 */
final class EndKeys {
  private EndKeys() {}

  /** Whether a record is such a marker. No JSON text begins with this character. */
  static boolean isEnd(String key) {
    return !key.isEmpty() && key.charAt(0) == 0;
  }

  /** A key for each key group, in their order. */
  static String[] all(int keyGroups) {
    String[] keys = new String[keyGroups];
    int missing = keyGroups;
    for (int i = 0; missing > 0; i++) {
      String key = "\u0000end" + i;
      int group = KeyGroupRangeAssignment.assignToKeyGroup(key, keyGroups);
      if (keys[group] == null) {
        keys[group] = key;
        missing--;
      }
    }
    return keys;
  }
}

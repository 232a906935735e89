package streamrun.flink;

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
}

package streamrun.flink;

import java.nio.ByteBuffer;

/**
 * The value of a key in Flink's state: the wake as 8 bytes, then the snapshot.
 *
 * <p>The wake tells which timer is registered, so that it can be deleted when a new snapshot has another wake.
 */
final class StoredState {
  static final int HEADER = 8;

  private StoredState() {}

  static byte[] of(long wake, byte[] snapshot) {
    return ByteBuffer.allocate(HEADER + snapshot.length).putLong(wake).put(snapshot).array();
  }

  static long wake(byte[] stored) {
    return ByteBuffer.wrap(stored).getLong();
  }
}

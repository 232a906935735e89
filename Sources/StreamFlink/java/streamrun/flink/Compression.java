package streamrun.flink;

/** The forms of compressed files that one machine reads, by the first bytes of a file. */
final class Compression {
  /** Number of bytes that show the form. */
  static final int BYTES = 6;

  static final String GZIP = "gzip";

  private Compression() {}

  /** The form of a file, or null if it is not compressed. */
  static String of(byte[] bytes, int count) {
    if (begins(bytes, count, 0x1F, 0x8B)) {
      return GZIP;
    }
    if (begins(bytes, count, 0x28, 0xB5, 0x2F, 0xFD)) {
      return "zstd";
    }
    return begins(bytes, count, 0xFD, '7', 'z', 'X', 'Z', 0) ? "xz" : null;
  }

  /** What to do with a file in a form that Flink does not read, or does not know by the name of the file. */
  static String refusal(String file, String form) {
    return file + " is compressed with " + form + ", which Flink does not read"
        + (form.equals(GZIP) ? " unless its name ends with .gz" : ": decompress it, or compress it with gzip to a name with .gz");
  }

  private static boolean begins(byte[] bytes, int count, int... magic) {
    for (int i = 0; i < magic.length; i++) {
      if (i >= count || (bytes[i] & 0xFF) != magic[i]) {
        return false;
      }
    }
    return true;
  }
}

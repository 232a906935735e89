package streamrun.flink;

/** Writes keys as the worker does, so that equal keys are equal texts. */
final class JsonText {
  private JsonText() {}

  /** A JSON string with no more escapes than JSON demands. */
  static String string(String value) {
    StringBuilder text = new StringBuilder(value.length() + 2).append('"');
    for (int i = 0; i < value.length(); i++) {
      char c = value.charAt(i);
      switch (c) {
        case '"':
          text.append("\\\"");
          break;
        case '\\':
          text.append("\\\\");
          break;
        case '\b':
          text.append("\\b");
          break;
        case '\f':
          text.append("\\f");
          break;
        case '\n':
          text.append("\\n");
          break;
        case '\r':
          text.append("\\r");
          break;
        case '\t':
          text.append("\\t");
          break;
        default:
          if (c < 0x20) {
            text.append(String.format("\\u%04x", (int) c));
          } else {
            text.append(c);
          }
      }
    }
    return text.append('"').toString();
  }

  /** A key column: a string, an integer, or null. */
  static String key(Object value) {
    if (value == null) {
      return "null";
    }
    return value instanceof Number ? Long.toString(((Number) value).longValue()) : string(value.toString());
  }
}

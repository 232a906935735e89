internal import StreamDriving

/// Messages for people, on standard error.
enum Messages {
  /// Writes a line. A closed standard error is no obstacle.
  static func error(_ text: String) { try? FileDescriptor.standardError.write("error: \(text)\n") }
}

internal import CLibrary

/// A failure that no closure of the app handles: a file with an error in an expression would otherwise do nothing, in
/// silence.
public enum UnhandledFailure {
  /// Writes the failure to standard error.
  public static func report(_ failure: some Error) {
    let line = Array("streamrun: a stream failed, and nothing handles its failure: \(failure)\n".utf8)
    line.withUnsafeBytes { bytes in _ = write(2, bytes.baseAddress, bytes.count) }
  }
}

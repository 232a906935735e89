internal import StreamCore
package import StreamEngine

extension StreamFailure {
  /// Whether the data, or a file that the stream names, are wrong, rather than the stream.
  package var isOfData: Bool {
    // Only an error in the data has a location there.
    if location != nil { return true }
    return switch DiagnosticCode(rawValue: code)?.rawValue.prefix(2) {
    case "S0", "S3", "S5": true
    default: false
    }
  }
}

/// Why a stage or a router cannot go on.
package enum StageError: Error {
  /// The stream failed, or a limit was exceeded.
  case failed(String)
  /// The data or the request are wrong.
  case refused(String)

  package var message: String {
    switch self {
    case .failed(let message), .refused(let message): message
    }
  }
}

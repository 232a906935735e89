package import StreamCore
internal import StreamEngine
internal import StreamFiles

/// The connection of `streamrun top` to a run.
package final class StatusClient {
  private let file: FileDescriptor
  private let path: String
  private var received: [UInt8] = []

  /// Seconds after which a run that does not respond counts as gone.
  private static let patience = 30.0

  /// Connects to the run whose socket is in a directory.
  package init(_ directory: String) throws(Diagnostic) {
    path = StatusSocket.path(in: directory)
    do throws(SystemError) {
      file = try LocalSocket.connect(to: path)
    } catch {
      if error.isUnheard {
        throw Diagnostic(
          .cannotRead, "no stream runs with '\(directory)': no process listens at '\(path)'",
          help: "start one: streamrun FILE --state '\(directory)'")
      }
      throw error.diagnostic(reading: path)
    }
  }

  deinit { file.close() }

  /// Asks for the status of the run, with its operators. Nil if the program is asked to stop.
  ///
  /// - Parameters:
  ///   - count: Maximum number of events of each operator, from 0 to 1,000.
  ///   - order: The number of the last event that is known.
  package func status(values count: Int = 0, after order: Int = 0) throws(Diagnostic) -> Value? {
    let values = count > 0 ? ",\"values\":\(count),\"after\":\(order)" : ""
    do throws(SystemError) {
      try file.write("{\"request\":\"status\",\"operators\":true\(values)}\n")
    } catch {
      throw ended
    }
    guard let line = try line() else { return nil }
    guard let response = try? JSONDocument(reading: line, file: path).value, let status = response.member("status")
    else { throw Diagnostic(.cannotRead, "the run at '\(path)' has sent something else than a status") }
    return status
  }

  private var ended: Diagnostic { Diagnostic(.cannotRead, "the run at '\(path)' has ended") }

  private func line() throws(Diagnostic) -> [UInt8]? {
    let clock = LiveClock()
    while true {
      if let end = received.firstIndex(of: UInt8(ascii: "\n")) {
        defer { received.removeSubrange(...end) }
        return Array(received[..<end])
      }
      guard clock.now.seconds < Self.patience else {
        throw Diagnostic(
          .cannotRead, "the run at '\(path)' has not responded for \(Int(Self.patience)) seconds",
          help: "it may be busy with one value, or stopped")
      }
      _ = Waiting.readable([file], nanoseconds: 1_000_000_000)
      if Interruption.hasHappened { return nil }
      guard let bytes = LocalSocket.receive(file) else { throw ended }
      received += bytes
    }
  }
}

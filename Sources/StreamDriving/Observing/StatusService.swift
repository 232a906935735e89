internal import StreamCore
internal import StreamEngine
internal import StreamFiles
internal import StreamKit

/// Serves the clients that inspect a run: `streamrun top` and others that speak its protocol.
///
/// A client connects to the socket in the directory, writes requests and reads responses, each a JSON object on one line:
/// `{"request": "status"}`, with `"operators": true` for the operators, too, and `"values": 20, "after": 7` for the newest
/// 20 events of each of them, without those up to number 7. While a client that has asked for operators is connected, the
/// values that they publish are counted.
final class StatusService: RunService {
  private let listener: FileDescriptor
  private let path: String
  private let streamName: String
  private let current: () -> PreparedStream
  private var clients: [Client] = []
  private var feeds = FeedLog()
  private let clock = LiveClock()
  /// The latest estimate for the operators, and the time of the next one.
  private var operators: (figures: OperatorFigures, time: Int64)?
  private var counting: Counting?
  private var secondsPerStream = StatusService.secondsPerStream

  private struct Counting {
    let counts: OperatorCounts
    let execution: Execution
  }

  private final class Client {
    let file: FileDescriptor
    var received: [UInt8] = []
    var unsent: [UInt8] = []
    var asksForOperators = false
    /// Number of events of each operator that it wants.
    var valueCount = 0
    var isClosed = false

    init(_ file: FileDescriptor) { self.file = file }
  }

  /// Maximum number of bytes of a request, and of clients.
  private static let requestLimit = 4_096
  private static let clientLimit = 16
  /// Maximum share of the time in which estimates are made.
  private static let share = 20.0
  /// Seconds for which counting may stop the stream when it begins, and as estimated while values are counted.
  private static let longestStop = (beginning: 0.01, counting: 0.015)
  /// Seconds that a change of counting takes for each operator and source, before the first one.
  private static let secondsPerStream = 30e-6
  /// Least number of operators and sources for which a change is measured.
  private static let measuredCount = 100

  /// - Parameters:
  ///   - directory: The directory of the socket, which is made if it does not exist.
  ///   - streamName: The path of the stream file.
  ///   - current: Returns the stream that runs.
  init(
    in directory: String, of streamName: String, current: @escaping () -> PreparedStream
  ) throws(Diagnostic) {
    self.streamName = streamName
    self.current = current
    path = StatusSocket.path(in: directory)
    do throws(SystemError) {
      listener = try LocalSocket.listen(at: path)
    } catch {
      if error == .isInUse {
        throw Diagnostic(
          .cannotWrite, "another run listens at '\(path)'", help: "end that run, or name another directory")
      }
      throw error.diagnostic(writing: path)
    }
  }

  var signals: [FileDescriptor] { [listener] + clients.map(\.file) }

  var untilDue: Int64? { clients.contains { !$0.unsent.isEmpty } ? 5_000_000 : nil }

  func serve(_ run: RunSession) throws(RunStop) {
    feeds.note(run.feeds)
    while clients.count < Self.clientLimit, let file = LocalSocket.accept(listener) { clients.append(Client(file)) }
    for client in clients { talk(to: client, run) }
    for client in clients where client.isClosed { client.file.close() }
    clients.removeAll(where: \.isClosed)
    updateCounting(run)
  }

  func close(_ run: RunSession) {
    for client in clients { client.file.close() }
    listener.close()
    LocalSocket.remove(path)
  }

  // MARK: Talking

  private func talk(to client: Client, _ run: RunSession) {
    guard let bytes = LocalSocket.receive(client.file) else {
      client.isClosed = true
      return
    }
    client.received += bytes
    while let end = client.received.firstIndex(of: UInt8(ascii: "\n")) {
      let line = Array(client.received[..<end])
      client.received.removeSubrange(...end)
      if !line.isEmpty { client.unsent += response(to: line, of: client, run) + [UInt8(ascii: "\n")] }
    }
    if client.received.count > Self.requestLimit { client.isClosed = true }
    guard !client.unsent.isEmpty else { return }
    guard let count = LocalSocket.send(client.unsent, to: client.file) else {
      client.isClosed = true
      return
    }
    client.unsent.removeFirst(count)
  }

  private func response(to line: [UInt8], of client: Client, _ run: RunSession) -> [UInt8] {
    Array(JSONWriter.compact(answer(to: line, of: client, run)).utf8)
  }

  private func answer(to line: [UInt8], of client: Client, _ run: RunSession) -> Value {
    guard let request = try? JSONDocument(reading: line, file: "request").value, case .map(let members) = request,
      case .string(let kind)? = members["request"]
    else { return ["error": "expected a JSON object with the string 'request'"] }
    guard kind == "status" else {
      return ["error": .string("there is no request '\(kind)'; expected 'status'")]
    }
    var status = StatusReport(RunFigures(run, feeds: feeds.all), of: streamName)
    if members["operators"] == true {
      client.asksForOperators = true
      let (values, after) = (members["values"] ?? .int(0), members["after"] ?? .int(0))
      guard case .int(let count) = values, 0...Int64(RecentEvents.most) ~= count, case .int(let order) = after else {
        return [
          "error": .string("expected in 'values' an integer from 0 to \(RecentEvents.most), and in 'after' an integer")
        ]
      }
      client.valueCount = Int(count)
      let figures = figures(run)
      updateCounting(run)
      let counts = counts(of: run)
      status.add(figures, counts?.values, count > 0 ? counts?.recent.values(after: Int(clamping: order)) ?? [:] : nil)
    }
    return ["status": status.value]
  }

  // MARK: Operators

  private func figures(_ run: RunSession) -> OperatorFigures {
    let now = clock.now.nanoseconds
    if let operators, now < operators.time { return operators.figures }
    let figures = OperatorFigures(run.stream.execution, current().places)
    operators = (figures, clock.now.nanoseconds + Int64(max(0.5, figures.seconds * Self.share) * 1e9))
    return figures
  }

  private func counts(of run: RunSession) -> OperatorCounts? {
    guard let counting, counting.execution === run.stream.execution else { return nil }
    return counting.counts
  }

  /// Counts values while a client asks for operators, unless the change would stop the stream for too long.
  private func updateCounting(_ run: RunSession) {
    let stream = run.stream
    if let counting, counting.execution !== stream.execution { self.counting = nil }
    defer { counting?.counts.recent.keep(clients.map(\.valueCount).max() ?? 0) }
    guard !stream.isOnTrial, !stream.isEnded, canCount(run) != (counting != nil) else { return }
    let counts = counting == nil ? OperatorCounts() : nil
    guard let version = current().version(counting: counts) else { return }
    let (start, count) = (clock.now.seconds, stream.execution.savedCount)
    do throws(Diagnostics) {
      try stream.recompile(as: version)
      counting = counts.map { Counting(counts: $0, execution: stream.execution) }
    } catch {
      // The stream continues unchanged: its state cannot be saved now.
      counting = nil
    }
    if count >= Self.measuredCount { secondsPerStream = (clock.now.seconds - start) / Double(count) }
  }

  /// Whether a client asks for operators, and the stream has not so many groups that the change takes too long.
  private func canCount(_ run: RunSession) -> Bool {
    guard clients.contains(where: \.asksForOperators) else { return false }
    let longest = counting == nil ? Self.longestStop.beginning : Self.longestStop.counting
    return Double(run.stream.execution.savedCount) * secondsPerStream <= longest
  }
}

/// The socket of a run, in the directory of its state.
package enum StatusSocket {
  package static func path(in directory: String) -> String { Path.join(directory, "socket") }
}

@_spi(Engine) internal import StreamCore
internal import StreamEngine
internal import StreamFiles

/// Answers the calls of a function by an address: posts the argument, and reads the response. One `curl` serves each call.
final class AddressCalls: CallAnswerer {
  /// A call that is asked.
  private final class Exchange {
    let call: Call
    let process: PipedProcess
    /// The part of the request that the process has not read.
    var request: ArraySlice<UInt8>
    var output: [UInt8] = []

    init(_ call: Call, _ process: PipedProcess) {
      self.call = call
      self.process = process
      request = Array(JSONWriter.compact(call.argument).utf8)[...]
    }

    /// Writes what the process takes, and ends its input afterward.
    func write() {
      guard process.input != nil else { return }
      request = request.dropFirst(process.write(request))
      if request.isEmpty { process.closeInput() }
    }
  }

  private let name: String
  private let limit: Int
  private let curl: CurlExchange
  var pending = PendingCalls()
  private var exchanges: [Int64: Exchange] = [:]
  /// The processes of canceled calls, until they have ended.
  private var canceled: [PipedProcess] = []
  private var reader = JSONReader()

  /// The longest response, in bytes.
  private static let longestResponse = 64 * 1024 * 1024

  init(_ name: String, _ address: String, headers: [String], limit: Int, timeout: Double) {
    (self.name, self.limit) = (name, limit)
    curl = CurlExchange(address: address, headers: headers, timeout: timeout)
  }

  var signals: [FileDescriptor] { exchanges.values.compactMap { $0.process.hasClosedOutput ? nil : $0.process.output } }

  var writeSignals: [FileDescriptor] { exchanges.values.compactMap(\.process.input) }

  func untilDue(_ now: Int64) -> Int64? {
    if pending.hasWaiting, exchanges.count < limit { return 0 }
    // They are about to end.
    return !canceled.isEmpty || exchanges.values.contains { $0.process.hasClosedOutput } ? 1_000_000 : nil
  }

  func cancel(_ id: Int64) {
    pending.cancel(id)
    guard let exchange = exchanges.removeValue(forKey: id) else { return }
    _ = pending.finish(id)
    exchange.process.kill()
    canceled.append(exchange.process)
  }

  func finish() -> [PipedProcess] {
    let processes = exchanges.values.map(\.process) + canceled
    for process in processes { process.terminate() }
    return processes
  }

  func serve(_ now: Int64) -> [CallResult] {
    canceled.removeAll { $0.hasEnded() }
    var results: [CallResult] = []
    for exchange in exchanges.values {
      exchange.write()
      if let result = result(of: exchange) {
        results.append(result)
        exchanges[exchange.call.id] = nil
        _ = pending.finish(exchange.call.id)
      }
    }
    // The calls were made in the order of their numbers.
    results.sort { $0.id < $1.id }
    while exchanges.count < limit, let call = pending.ask(now) {
      do throws(SystemError) {
        let process = try PipedProcess(
          "curl", CurlExchange.arguments, readsOutput: true, third: curl.configuration)
        let exchange = Exchange(call, process)
        exchanges[call.id] = exchange
        exchange.write()
      } catch {
        _ = pending.finish(call.id)
        let isMissing = error.isMissingFile
        results.append(
          failed(
            call,
            CurlExchange.Problem(
              message: isMissing ? "there is no program 'curl'" : "curl cannot be started: \(error.explanation)",
              status: 0),
            help: isMissing ? "install curl, which sends the requests of --call \(name)" : nil))
      }
    }
    return results
  }

  /// Returns the result of a call; nil while it is not there.
  private func result(of exchange: Exchange) -> CallResult? {
    let process = exchange.process
    while let bytes = process.read() { exchange.output += bytes }
    if exchange.output.count > Self.longestResponse {
      process.kill()
      let size = Self.longestResponse / 1024 / 1024
      return failed(
        exchange.call,
        CurlExchange.Problem(message: "\(curl.shownAddress) has answered with more than \(size) MiB", status: 0))
    }
    guard process.hasClosedOutput, process.hasEnded() else { return nil }
    let code: Int32? = if case .exit(let code)? = process.end { code } else { nil }
    do throws(CurlExchange.Problem) {
      return CallResult(
        id: exchange.call.id, result: .success(try curl.value(of: exchange.output, code: code, &reader)))
    } catch {
      return failed(exchange.call, error)
    }
  }

  private func failed(_ call: Call, _ problem: CurlExchange.Problem, help: String? = nil) -> CallResult {
    let failure = StreamFailure(
      .callFailed, "the function '\(name)' failed: \(problem.message)", pointer: call.pointer, value: call.argument,
      payload: problem.payload, help: help)
    return CallResult(id: call.id, result: .failure(failure))
  }
}

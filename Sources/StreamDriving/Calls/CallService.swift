internal import StreamCore
internal import StreamEngine
internal import StreamFiles
internal import StreamKit

/// Takes the calls that a stream makes.
protocol CallReceiver: AnyObject {
  /// Takes a call. The result is passed to the stream later, between two events.
  func take(_ call: Call)
}

/// The result of a call.
struct CallResult {
  let id: Int64
  let result: Result<Value, StreamFailure>
}

/// Answers the calls of one function.
protocol CallAnswerer: AnyObject {
  var pending: PendingCalls { get set }
  var signals: [FileDescriptor] { get }
  var writeSignals: [FileDescriptor] { get }
  /// Nanoseconds until there is something to do; nil if it waits for a file.
  func untilDue(_ now: Int64) -> Int64?
  /// Reads results, and asks calls that wait. Must not wait.
  func serve(_ now: Int64) -> [CallResult]
  /// Forgets a call whose result is not needed.
  func cancel(_ id: Int64)
  /// Returns the processes to wait for at the end of the run.
  func finish() -> [PipedProcess]
}

/// Answers the calls of a stream by programs and addresses.
///
/// Virtual time and event time do not pass while a result is awaited: the result counts as present.
final class CallService: RunService, CallReceiver {
  private let answerers: [String: any CallAnswerer]
  private let clock = LiveClock()

  /// Milliseconds for a program to end after the run has ended.
  private static let patience = 1000

  init(_ request: CallRequest, _ console: Console) {
    var answerers: [String: any CallAnswerer] = [:]
    for answer in request.answers {
      answerers[answer.name] =
        CallRequest.isAddress(answer.text)
        ? AddressCalls(
          answer.name, answer.text, headers: request.headers.filter { $0.name == answer.name }.map(\.text),
          limit: request.limit, timeout: request.timeout ?? CallRequest.addressTimeout)
        : ProgramCalls(answer.name, answer.text, limit: request.limit, timeout: request.timeout, console)
    }
    self.answerers = answerers
  }

  private var now: Int64 { clock.now.nanoseconds }

  func take(_ call: Call) { answerers[call.function]?.pending.append(call) }

  var signals: [FileDescriptor] { answerers.values.flatMap(\.signals) }
  var writeSignals: [FileDescriptor] { answerers.values.flatMap(\.writeSignals) }
  var untilDue: Int64? {
    let now = now
    return answerers.values.compactMap { $0.untilDue(now) }.min()
  }
  var holdsTime: Bool { answerers.values.contains { $0.pending.isOpen } }

  func serve(_ run: RunSession) throws(RunStop) {
    // The run ends before what happens from here on.
    guard !run.isBeyondEnd(run.present) else { return }
    // A result can lead to further calls, which are asked at once.
    repeat {
      for id in run.stream.takeCanceledCalls() { for answerer in answerers.values { answerer.cancel(id) } }
      let results = answerers.values.flatMap { $0.serve(now) }
      for result in results {
        run.stream.answer(result.id, result.result, at: run.present)
        try run.drain()
      }
      if results.isEmpty { return }
    } while !run.stream.isEnded
  }

  func close(_ run: RunSession) {
    PipedProcess.stop(answerers.values.flatMap { $0.finish() }, within: Self.patience)
  }
}

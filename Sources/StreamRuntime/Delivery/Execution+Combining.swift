internal import CEL
internal import StreamCore

// Values that go into an expression over several streams, past the join that they come to.

/// Hands a value to an expression over several streams, past the join; gives the next thing that the stream says.
///
/// NB: the way is read before anything but the program has run, which may end it. No method: whoever ends with a call of
/// this one need not keep itself.
@inline(never)
func combine(
  _ value: Value, into tuple: JoinProgramInstance, on way: UnsafePointer<Way>, of execution: Execution
) -> ExecutionEvent? {
  if let segment = tuple.segment, segment._withUnsafeGuaranteedRef({ $0.frameNumber }) != execution.loadedFrame {
    _ = execution.effects(for: segment._withUnsafeGuaranteedRef { $0 })
  }
  let intake = tuple.take(value, at: way.pointee.port, way.pointee.use)
  return intake == .nothing ? nil : execution.next(with: value, taken: intake, on: way.pointee)
}

extension Execution {
  /// Goes on with a value that an expression over several streams has taken, or declined, and with what else there is.
  @inline(never)
  fileprivate func next(with value: Value, taken intake: JoinProgramInstance.Intake, on way: Way) -> ExecutionEvent? {
    var event: ExecutionEvent?
    goOn(with: value, taken: intake, on: way, &event)
    return event == nil && mayGoOn ? next() : event
  }

  /// Goes on with a value that an expression over several streams has taken, or declined.
  @inline(never)
  func goOn(with value: Value, taken intake: JoinProgramInstance.Intake, on way: Way, _ event: inout ExecutionEvent?) {
    guard let tuple = way.tuple?.takeUnretainedValue(), let join = way.hearer else { return }
    switch intake {
    case .nothing: return
    case .declined: return carry(value, to: join, on: way.port, 0, &event)
    case .failed:
      do throws(StreamFailure) {
        try tuple.takeFailure(of: value, at: way.port)
      } catch {
        event = refuse(error, at: join.takeUnretainedValue(), from: way.port, 0)
        return
      }
    case .done: break
    }
    carryOn(value, from: join, .done, 0, &event)
  }
}

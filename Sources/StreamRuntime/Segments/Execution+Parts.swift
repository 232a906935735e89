internal import CEL
package import StreamCore

/// What became of a value that was handed straight on.
package enum HandOver {
  /// It cannot be: it has to be sent.
  case declined
  /// All is done.
  case done
  /// There is more to do: `step` tells it.
  case unfinished
}

extension Execution {
  /// Hands a record straight on of which only the fields are known that the stream looks at, as `Pipeline.fieldsRead`
  /// tells.
  ///
  /// - Parameters:
  ///   - part: what is known. Lent for the time of the call.
  ///   - event: what the host is to hear first, if anything. Where the record itself is published,
  ///     it is the one that was handed over.
  ///   - whole: gives all of the record, which a failure tells.
  package func hand(
    part: UnsafePointer<Value>, to input: Int, at time: StreamTime, _ event: inout ExecutionEvent?,
    whole: () -> Value
  ) -> HandOver {
    guard isAtRest, let way = way(from: input) else { return .declined }
    var isDone = false
    move(to: aside.map { max(time, $0.horizon) } ?? time)
    // NB: not counted: a stage is gone at the earliest when the event has been told.
    guard let hearer = way.hearer, hearer._withUnsafeGuaranteedRef({ $0.isSegment }) else {
      hand(whole(), on: way, &event)
      return .unfinished
    }
    hearer._withUnsafeGuaranteedRef { hearer in
      let segment = unsafeDowncast(hearer, to: SegmentStage.self)
      _ = effects(for: segment)
      do throws(StreamFailure) {
        let outcome = try segment.take(part: part, whole: whole)
        if outcome == .emitted, segment.downstream == nil {
          event = .value(segment.output)
          isDone = true
        } else if outcome == .dropped, segment.isUnlimited(0) {
          isDone = true
        } else {
          unfold()
          event = settle(outcome, at: segment, from: 0, 0)
        }
      } catch {
        unfold()
        event = refuse(error, at: segment, from: 0, 0)
      }
    }
    return isDone ? .done : .unfinished
  }
}

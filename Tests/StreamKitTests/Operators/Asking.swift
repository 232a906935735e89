import StreamCore
import StreamKit
import StreamRuntime

/// What a stream says when it is asked for a few values at a time: the texts for each of these demands, in order.
func answers(_ json: String, asking demands: [Int]) throws -> [[String]] {
  let execution = Execution(try stream(json).compile())
  return demands.map { demand in
    execution.request(Demand(demand))
    var texts: [String] = []
    while true {
      while let event = execution.next() {
        switch event {
        case .value(let value): texts.append(JSONWriter.compact(value))
        case .finished: texts.append("|")
        case .failure(let failure): texts.append("#\(failure.code)")
        case .skipped: texts.append("skipped")
        case .call(let call): texts.append("call of \(call.function)")
        case .noted(let note): texts.append("note of \(note.name)")
        }
      }
      guard let deadline = execution.nextDeadline, !execution.isEnded else { return texts }
      execution.advance(to: deadline)
    }
  }
}

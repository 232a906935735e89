import StreamCore
import StreamEngine
import StreamKit
import TestSupport
import Testing

/// The values of a stream whose subscriber requests a few values at a time.
@Suite struct DemandTests {
  @Test("Demand during a delivery is met after the events so far")
  func orderUnderNestedDemand() throws {
    let json = """
      {"inputs": {"a": {"buffer": {"capacity": 10, "whenFull": "fail"}}}, "source": {"input": {"name": "a"}},
       "operators": [{"filter": {"expression": "value % 2 == 0"}}]}
      """
    for saves in [false, true] {
      let pipeline = try stream(json).compile()
      var execution = Execution(pipeline)
      execution.request(.none)
      _ = execution.next()
      for value in 1...8 { execution.send(.int(Int64(value)), to: 0, at: .zero) }
      _ = execution.next()
      execution.request(Demand(3))
      var values: [Value] = []
      while true {
        if saves { execution = try Execution(pipeline, restoring: Snapshot(text: execution.snapshot().text())) }
        let progress = execution.step(atMost: 1)
        if case .event(.value(let value)) = progress { values.append(value) }
        if progress == .idle { break }
      }
      #expect(values == [2, 4, 6])
    }
  }
}

import StreamCore
import StreamEngine
import StreamKit
import TestSupport
import Testing

/// Sources that make their values as they are asked for.
@Suite struct PullSourceTests {
  @Test("Sources without an end give as many values as are taken")
  func endless() throws {
    let repeated = try run(
      #"{"source": {"repeatElement": {"value": 1}}, "operators": [{"prefix": {"count": 5000}}, {"count": {}}]}"#)
    #expect(repeated == ["5000@0", "|@0"])
    let generated = try run(
      #"{"source": {"generate": {"initialValue": 1, "next": "value + 1"}}, "operators": [{"prefix": {"count": 5000}}, {"count": {}}]}"#
    )
    #expect(generated == ["5000@0", "|@0"])
  }
}

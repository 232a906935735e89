import StreamKit
import TestSupport
import Testing

/// `materialize` beyond its examples and the laws.
@Suite struct MaterializeTests {
  @Test("The end as a value waits until it is requested")
  func demand() throws {
    let texts = try answers(to: #"{"materialize": {}}"#, [1, 1, 1], through: 2)
    #expect(texts == [[#"{"value":1}"#], [#"{"value":2}"#], [#"{"finished":true}"#, "|"]])
  }
}

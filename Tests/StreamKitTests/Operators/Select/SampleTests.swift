import StreamKit
import TestSupport
import Testing

/// `sample` beyond its examples and the laws.
@Suite struct SampleTests {
  @Test("Samples are taken at whole intervals after the subscription, and a silent stream needs no clock")
  func sampling() throws {
    let events = try run(
      #"{"source": {"marbles": {"diagram": "a 999ms bc 1200ms d 5s |"}}, "operators": [{"sample": {"seconds": 1}}]}"#)
    let silent = try run(#"{"source": {"never": {}}, "operators": [{"sample": {"seconds": 1}}]}"#)
    #expect(events == [#""b"@1000"#, #""c"@2000"#, #""d"@3000"#, "|@7203"])
    #expect(silent.isEmpty)
  }

  @Test("Samples without demand wait, and the completion with them")
  func demand() throws {
    let texts = try answers(
      #"{"source": {"marbles": {"diagram": "a---b---c---d---|"}}, "operators": [{"sample": {"seconds": 0.002}}]}"#,
      [1, 1, 9])
    #expect(texts == [[#""a""#], [#""b""#], [#""c""#, #""d""#, "|"]])
  }
}

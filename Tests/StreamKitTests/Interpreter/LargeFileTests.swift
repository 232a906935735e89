import StreamCore
import StreamEngine
import StreamKit
import StreamTesting
import TestSupport
import Testing

/// Large files take time in proportion to their size, whether they are right or wrong.
@Suite struct LargeFileTests {
  /// The part of a file that grows.
  enum Kind: String, CaseIterable, Sendable {
    case namedStreams, inputs, tests, wrongExpressions, unknownOperators, unknownStreams, wrongNamedStreams
    case wrongInnerOperators

    /// A file with that many of them, on one line.
    func file(_ count: Int) -> String {
      func members(_ text: (Int) -> String) -> String { (0..<count).map(text).joined(separator: ",") }
      let just = #""stream":[{"value":1}]"#
      return switch self {
      case .namedStreams:
        "{\"streams\":{\"t\":{\(just)},\(members { #""s\#($0)":{"source":{"stream":{"name":"t"}}}"# })},\(just)}"
      case .inputs:
        "{\"inputs\":{\(members { #""i\#($0)":{}"# })},\"source\":{\"stream\":{\"name\":\"i\(count - 1)\"}}}"
      case .tests:
        "{\(just),\"tests\":[\(members { #"{"name":"t\#($0)","expect":{"values":[1]}}"# })]}"
      case .wrongExpressions:
        "{\"stream\":[\(members { #"{"value":\#($0),"operators":[{"map":{"expression":"vale"}}]}"# })]}"
      case .unknownOperators:
        "{\"stream\":[\(members { #"{"value":1,"operators":[{"mup\#($0)":{}}]}"# })]}"
      case .unknownStreams:
        "{\"streams\":{\(members { #""s\#($0)":{"source":{"stream":{"name":"u\#($0)"}}}"# })},\(just)}"
      case .wrongNamedStreams:
        "{\"streams\":{\(members { #""s\#($0)":{\#(just),"operators":[{"map":{"expression":"vale"}}]}"# })},\(just)}"
      case .wrongInnerOperators:
        "{\(just),\"operators\":[{\"retryWhen\":{\"operators\":[\(members { #"{"mup\#($0)":{}}"# })]}}]}"
      }
    }

    /// A size at which quadratic work shows.
    var size: Int {
      switch self {
      case .inputs, .namedStreams: 4_000
      case .wrongInnerOperators: 1_500
      default: 1_000
      }
    }
  }

  @Test("Reading and compiling take time in proportion to the size", arguments: Kind.allCases)
  func growth(_ kind: Kind) throws {
    let exponent = try Growth.exponent(around: kind.size, preparing: { Array(kind.file($0).utf8) }) { bytes in
      do {
        let stream = try StreamFile(JSONDocument(reading: bytes, file: "large.json"), identity: "large.json")
        _ = try stream.compile()
        if kind == .tests {
          let outcomes = try TestRunner(stream).run()
          for outcome in outcomes {
            _ = stream.document.source.location(of: stream.document.range(of: outcome.pointer))
          }
        }
      } catch let error as Diagnostics {
        try #require(!error.isEmpty)
      }
    }
    #expect(exponent < 1.5)
  }

  @Test("A file with many errors shows the first thousand and counts the others")
  func cap() throws {
    for kind in [Kind.wrongExpressions, .unknownOperators] {
      let text = kind.file(1_500)
      let found = #expect(throws: Diagnostics.self) {
        try StreamFile(JSONDocument(reading: text, file: "large.json"), identity: "large.json").compile()
      }
      let all = found?.all ?? []
      #expect(all.count == 1_001)
      #expect(all.last?.code == .furtherErrors)
      #expect(all.last?.severity == .note)
      #expect(all.last?.message == "500 further errors are not shown")
    }
  }

  @Test("An error in the innermost of nested streams is found in one reading of each level")
  func nestedError() throws {
    var text = #"{"stream":[{"value":1}],"operators":[{"map":{"expresion":"value"}}]}"#
    for _ in 0..<100 { text = #"{"stream":[{"value":1}],"operators":[{"flatMap":{"stream":\#(text)}}]}"# }
    let nested = text
    let found = #expect(throws: Diagnostics.self) {
      try StreamFile(JSONDocument(reading: nested, file: "nested.json"), identity: "nested.json")
    }
    #expect(found?.all.map(\.code) == [.unknownKey])
  }

  @Test("A pipeline of any length is released on a small stack", arguments: ["map", "delay"])
  func release(_ name: String) throws {
    let fields = name == "map" ? #"{"expression":"value + 1"}"# : #"{"seconds":1}"#
    let operators = Array(repeating: #"{"\#(name)":\#(fields)}"#, count: 10_000).joined(separator: ",")
    let text =
      #"{"streams":{"a":{"stream":[{"value":1}],"operators":[\#(operators)]}"#
      + #","b":{"source":{"stream":{"name":"a"}},"operators":[\#(operators)]}}"#
      + #","source":{"stream":{"name":"b"}},"operators":[\#(operators)]}"#
    let used = try SmallStack.run { () throws -> Bool in
      let pipeline = try stream(text).compile()
      let execution = Execution(pipeline)
      execution.request(.unlimited)
      while case .unfinished = execution.step(atMost: 10_000) {}
      _ = try execution.snapshot()
      return true
    }.usedBytes
    #expect(used < SmallStack.usualBytes - 48 * 1024)
  }
}

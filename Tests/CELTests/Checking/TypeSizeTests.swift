import StreamCore
import Testing

@testable import CEL

/// The sizes of the types that expressions create.
@Suite struct TypeSizeTests {
  /// The type of an expression over a value.
  private func type(of text: String, _ value: CELType) throws -> CELType {
    try CELExpression(text).plan(in: ExpressionEnvironment(variables: [Variable("value", value)])).resultType
  }

  /// The numbers of parts of the types that an expression makes of those before.
  private func sizes(_ text: String, rounds: Int) throws -> [Int] {
    var value = CELType.int
    var sizes: [Int] = []
    for _ in 0..<rounds {
      value = try type(of: text, value)
      sizes.append((1...).first { value.fits(parts: $0, levels: .max) } ?? 0)
    }
    return sizes
  }

  @Test("Records that hold the record before twice have at most 1,000 parts")
  func records() throws {
    let sizes = try sizes("{'a': value, 'b': value}", rounds: 40)
    #expect(sizes.prefix(4) == [3, 7, 15, 31])
    #expect(sizes.allSatisfy { $0 <= 1_000 })
    #expect(try type(of: "{'a': value, 'b': value}", .int).description == "{a: int, b: int}")
  }

  @Test("Lists of lists have at most 32 levels")
  func lists() throws {
    #expect(try sizes("[value]", rounds: 31) == Array(2...32))
    #expect(try sizes("[value]", rounds: 200).allSatisfy { $0 <= 32 })
  }

  @Test("The names of an expression have such types, too")
  func names() throws {
    var text = "x59"
    for number in (0..<60).reversed() {
      let last = number == 0 ? "value" : "x\(number - 1)"
      text = "cel.bind(x\(number), {'a': \(last), 'b': \(last)}, \(text))"
    }
    #expect(try type(of: text, .int).fits(parts: 1_000, levels: 32))
  }

  @Test("A type that is too large keeps its own fields")
  func large() throws {
    let value = CELType.record((0..<2_000).map { RecordField("f\($0)", .int) })
    #expect(try type(of: "value.f1999", value) == .int)
    #expect(try type(of: "{'a': value, 'b': value.f1}", value) == .record([.init("a", .dyn), .init("b", .int)]))
    #expect(try type(of: "value", value) == value)
  }

  @Test("Types without undetermined parts are unchanged when they are settled")
  func settled() {
    let value = CELType.record([RecordField("a", .list(.undetermined)), RecordField("b", .int)])
    #expect(value.settled == .record([RecordField("a", .list(.dyn)), RecordField("b", .int)]))
    #expect(value.settled.settled == value.settled)
  }
}

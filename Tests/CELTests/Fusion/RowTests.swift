import StreamCore
import Testing

@testable import CEL

/// A run on a row gives what a run on the record gives.
@Suite struct Rows {
  /// What a run has come to.
  private enum Result: Equatable {
    case ended(ProgramOutcome, Value?)
    case failed(ProgramFailure)
  }

  private static let lines = (0..<60).map { number in
    switch number % 12 {
    case 2: #"{"n":\#(number).5,"z":\#(number),"d":"d","ok":true}"#
    case 3: #"{"n":\#(number),"z":0.5,"d":null,"ok":"no"}"#
    case 5: #"{"n":9223372036854775,"z":-0.0,"d":"a long text, longer than fifteen","ok":false}"#
    case 6: #"{"z":0.25}"#
    case 7: #"{"z":0.75}"#
    default: #"{"n":\#(number - 20),"z":\#(Double(number) / 8 - 2),"d":"d\#(number)","ok":\#(number % 5 < 3)}"#
    }
  }

  private func result(_ frame: Frame, _ run: () throws(ProgramFailure) -> ProgramOutcome) -> Result {
    do throws(ProgramFailure) {
      let outcome = try run()
      return .ended(outcome, outcome == .emitted || outcome == .emittedLast ? frame.output : nil)
    } catch {
      return .failed(error)
    }
  }

  /// Both runs of each line, one program after the other; gives how many rows there were.
  private func compare(_ write: (inout ProgramBuilder) throws -> Void) throws -> Int {
    let plain = try frame(write)
    let first = try #require(try frame(write).readingRows())
    let fields = try #require(first.rowFields)
    let reader = JSONLineReader()
    reader.readRows(RowFields(fields.map { RowFields.Field($0) }))
    var (rows, count) = (first, 0)
    for line in Self.lines {
      var general = JSONReader()
      let value = try general.read(line)
      let expected = result(plain) { () throws(ProgramFailure) in try plain.run(value) }
      let actual = PaddedBytes.with(Array("\(line)\n".utf8)) { text in
        guard reader.readRow(text) > 0, !rows.isGeneric else {
          return result(rows) { () throws(ProgramFailure) in try rows.run(value) }
        }
        rows.isMisfit = false
        count += 1
        let actual = result(rows) { () throws(ProgramFailure) in try rows.run(row: reader) }
        if case .ended(.emitted, let value?) = actual { check(rows, value) }
        return actual
      }
      #expect(actual == expected, "\(line)")
      PaddedBytes.with(Array(line.utf8)) { try? reader.read($0) }
      if count == 20, let again = rows.readingRows() { rows = again }
    }
    return count
  }

  /// Whether what is told of the output is the output.
  private func check(_ frame: Frame, _ value: Value) {
    switch frame.rowOutput {
    case .fields(let fields, let values): #expect(fields.record(of: values) == value)
    case .value(let other): #expect(other == value)
    case .input: break
    }
  }

  private static let likely = CELType.record([
    RecordField("n", .int), RecordField("z", .double), RecordField("d", .string), RecordField("ok", .bool),
  ])

  @Test(arguments: [
    "value.n * 2", "value.z * 2.0 + 1.0", "{'d': value.d, 'z': value.z * 2.0}", "{'d': value.d, 'e': value.d}",
    "has(value.d) && value.ok", "value.d", "value.n % 3 == 0 ? value.d : value.z", "{}", "{'n': {'m': value.n}}",
    "value.n + 9223372036854775000", "value.z > 0.5 && value.d == 'd7'", "[value.n, value.z]", "value.missing",
    "has(value.missing)", "value.z < 1", "100 / value.n", "double(value.n) / value.z",
  ])
  func `expressions`(_ text: String) throws {
    let rows = try? compare { builder in
      let value = builder.input(.dyn, likely: Self.likely)
      builder.emit(try builder.add(Expression(text), binding: ["value": value]))
    }
    // What runs as its plan looks at the record.
    if let rows { #expect(rows > 10) } else { #expect(text.contains("[")) }
  }

  @Test func `a filter that gives its input, and one that keeps count`() throws {
    let filtered = try compare { builder in
      let value = builder.input(.dyn, likely: Self.likely)
      let dropped = builder.label()
      builder.branch(unless: try builder.add("value.z > 0.25", binding: ["value": value]), to: dropped)
      builder.emit(value)
      builder.place(dropped)
      builder.end()
    }
    #expect(filtered > 10)
    let summed = try compare { builder in
      let value = builder.input(.dyn, likely: Self.likely)
      let sum = builder.cell(0, .int)
      let next = try builder.add("acc + value.n", binding: ["value": value, "acc": sum])
      builder.store(next, in: sum)
      builder.emit(try builder.add("{'sum': value}", binding: ["value": next]))
    }
    #expect(summed > 5)
  }

  @Test func `a program that looks at all of its input takes none`() throws {
    for text in ["value", "value == 1", "size(value)", "[value]", "{'v': value}"] {
      let frame = try frame(text)
      let rows = frame.readingRows()
      // The input as it is may be given.
      #expect((rows == nil) == (text != "value"))
    }
  }
}

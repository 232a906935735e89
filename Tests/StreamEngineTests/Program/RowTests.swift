import CEL
@_spi(Engine) import StreamCore
import Testing

@testable @_spi(Engine) import StreamEngine

/// A run on a row gives what a run on the record gives.
@Suite struct Rows {
  /// The result of a run.
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

  private func result(_ frame: ProgramInstance, _ run: () throws(ProgramFailure) -> ProgramOutcome) -> Result {
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
    let taking = try #require(try frame(write).readingRows())
    let fields = try #require(taking.rowFields)
    let reader = JSONLineReader()
    let rows = reader.readRows(RowFields(fields.map { RowFields.Field($0) }))
    var count = 0
    for line in Self.lines {
      var general = JSONReader()
      let value = try general.read(line)
      let expected = result(plain) { () throws(ProgramFailure) in try plain.run(value) }
      let actual = PaddedBytes.with(Array("\(line)\n".utf8)) { text in
        taking.needsRespecialization = false
        guard rows.read(text, atMost: 64) == 1, taking.takesRows else {
          return result(taking) { () throws(ProgramFailure) in try taking.run(value) }
        }
        count += 1
        let actual = result(taking) { () throws(ProgramFailure) in try taking.run(rows) }
        // Those that come to nothing are left behind.
        #expect(rows.current == (actual == .ended(.dropped, nil) ? 1 : 0))
        if case .ended(.emitted, let value?) = actual { check(taking, value) }
        return actual
      }
      #expect(actual == expected, "\(line)")
      PaddedBytes.with(Array(line.utf8)) { try? reader.read($0) }
    }
    return count
  }

  /// Checks that the description of the output equals the output, and is written in the same way.
  private func check(_ frame: ProgramInstance, _ value: Value) {
    switch frame.rowOutput {
    case .record(let record):
      #expect(record.value == value)
      var bytes: [UInt8] = []
      #expect(JSONRecordWriter().appendLine(record, to: &bytes))
      #expect(String(decoding: bytes, as: UTF8.self) == JSONWriter.compact(value) + "\n")
    case nil: #expect(frame.output == value)
    case .input: break
    }
  }

  private static let likely = CELType.record([
    RecordField("n", .int), RecordField("z", .double), RecordField("d", .string), RecordField("ok", .bool),
  ])

  @Test(
    "Rows of expressions",
    arguments: [
      "value.n * 2", "value.z * 2.0 + 1.0", "{'d': value.d, 'z': value.z * 2.0}", "{'d': value.d, 'e': value.d}",
      "has(value.d) && value.ok", "value.d", "value.n % 3 == 0 ? value.d : value.z", "{}", "{'n': {'m': value.n}}",
      "value.n + 9223372036854775000", "value.z > 0.5 && value.d == 'd7'", "value.missing",
      "has(value.missing)", "value.z < 1", "{'b': value.ok, 'c': !value.ok, 'n': value.n + 1, 'd': value.d}",
      "value.ok ? {'d': value.d, 'n': value.n} : {'z': value.z + 1.0, 'd': value.d}",
      "{'d': value.d, 'm': value.missing}", "{'n': value.n * 2, 'o': value.n * 2, 'p': value.n * 2 + 1}",
      "100 / value.n",
      "double(value.n) / value.z",
    ])
  func rowsExpressions(_ text: String) throws {
    let rows = try compare { builder in
      let value = builder.input(.dyn, likely: Self.likely)
      builder.emit(try builder.add(CELExpression(text), binding: ["value": value]))
    }
    #expect(rows > 10)
  }

  @Test("A filter that gives its input, and one that keeps count")
  func filterGivesInput() throws {
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
      let next = try builder.add("has(value.d) ? acc + 1 : acc", binding: ["value": value, "acc": sum])
      builder.store(next, in: sum)
      builder.emit(try builder.add("{'sum': value}", binding: ["value": next]))
    }
    #expect(summed > 10)
  }

  @Test("A program that reads all of its input takes no rows")
  func programReadsAll() throws {
    for text in ["value", "value == 1", "size(value)", "[value]", "{'v': value}"] {
      let frame = try frame(text)
      let rows = frame.readingRows()
      // The output may be the input itself.
      #expect((rows == nil) == (text != "value"))
    }
  }

  @Test("Many rows at once have the results of single rows")
  func manyRowsOnce() throws {
    let write: (inout ProgramBuilder) throws -> Void = { builder in
      let value = builder.input(.dyn, likely: Self.likely)
      let seen = builder.cell(0, .int)
      let dropped = builder.label()
      builder.count(seen)
      builder.branch(unless: try builder.add("value.n % 4 == 1", binding: ["value": value]), to: dropped)
      builder.emit(try builder.add("{'n': value.n, 'seen': seen}", binding: ["value": value, "seen": seen]))
      builder.place(dropped)
      builder.end()
    }
    let lines = (0..<200).map { #"{"n":\#($0 % 90 == 50 ? "1.5" : "\($0)"),"z":1.5}"# }
    let plain = try frame(write)
    var expected: [Value] = []
    for line in lines {
      var general = JSONReader()
      if case .ended(.emitted, let value?) = result(
        plain, { () throws(ProgramFailure) in try plain.run((try? general.read(line)) ?? .null) })
      {
        expected.append(value)
      }
    }
    let taking = try #require(try frame(write).readingRows())
    let reader = JSONLineReader()
    let rows = reader.readRows(RowFields((taking.rowFields ?? []).map { RowFields.Field($0) }))
    var found: [Value] = []
    PaddedBytes.with(Array(#"{"n":0,"z":1}"#.utf8)) { try? reader.read($0) }
    PaddedBytes.with(Array((lines.joined(separator: "\n") + "\n").utf8)) { text in
      var start = 0
      while rows.read(text.dropFirst(start), atMost: 64) > 0 {
        while rows.current < rows.count {
          taking.needsRespecialization = false
          switch result(taking, { () throws(ProgramFailure) in try taking.run(rows) }) {
          case .ended(.emitted, let value?):
            found.append(value)
            rows.current += 1
          case .failed: rows.current += 1
          default: break
          }
        }
        start += (0..<rows.count).reduce(0) { $0 + rows.line(of: $1).count }
      }
    }
    #expect(found == expected)
    #expect(!found.isEmpty)
  }
}

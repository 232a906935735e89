import StreamCore
import StreamKit
import StreamTesting
import TestSupport
import Testing

@testable import StreamDriving

/// Replays that read recorded values as rows: the output is that of the recorded run, and of a replay value by value.
@Suite struct RecordedRowsTests {
  private static let blocks: UInt64 = 8

  @Test("A replay by rows, one by values, and the recorded run give the same lines", arguments: 0..<blocks)
  func random(_ block: UInt64) throws {
    let count = max(PropertyCount.cases(byDefault: 400) / Self.blocks, 40)
    var (ran, withRows) = (0, 0)
    for seed in block * count..<(block + 1) * count {
      let pipeline = RandomPipeline(seed: seed, atMost: 300)
      guard pipeline.isLinear, try Differential(pipeline) != nil, let values = pipeline.valuesWithoutPauses else {
        continue
      }
      let recorded = RecordedRun(folder: Fixture.Folder())
      let lines = values.map { JSONWriter.compact($0) + "\n" }.joined()
      let run = try recorded.record(JSONWriter.compact(pipeline.model), lines)
      let size = [60, 300, 3_000, 100_000][Int(seed % 4)]
      let (byRows, rowCount) = recorded.replay(takesRows: true, pieces: size)
      let byValues = recorded.replay(takesRows: false).output
      #expect(byRows == byValues, "\(pipeline.report)")
      #expect(byRows.lines == run.lines && byRows.code == run.code, "\(byRows.messages) \(pipeline.report)")
      ran += 1
      if rowCount > 0 { withRows += 1 }
      // The values come one after another in time, and only a part of them is replayed.
      Self.spread(recorded.path)
      let part = Int(seed % 97)
      for change in [
        { _ in }, { $0.until = .count(part) }, { $0.until = .seconds(Double(part) / 1e3) },
        { $0.from = .count(part) }, { $0.from = .seconds(Double(part) / 1e3) },
      ] as [(inout ReplayRequest) -> Void] {
        let byRows = recorded.replay(takesRows: true, pieces: size, change).output
        #expect(byRows == recorded.replay(takesRows: false, change).output, "\(part) \(pipeline.report)")
      }
    }
    // A generator that reaches no rows compares nothing.
    #expect(ran * 8 > count)
    #expect(withRows * 12 > ran, "\(withRows) of \(ran)")
  }

  /// Gives each line of a recording a time of its own.
  private static func spread(_ path: String) {
    var number = 0
    let lines = Fixture.read(path).split(separator: "\n").map { line in
      guard line.hasPrefix(#"{"at":0,"#) else { return String(line) }
      number += 1
      return #"{"at":\#(Double(number) / 1e3),"# + line.dropFirst(8)
    }
    Fixture.write(lines.map { $0 + "\n" }.joined(), to: path)
  }

  private static let counting =
    #"{"inputs": {"a": {}}, "source": {"input": {"name": "a"}}, "operators": "#
    + #"[{"map": {"expression": "{'x': value.n}"}}]}"#

  private static func lines(_ count: Int) -> String { (0..<count).map { "{\"n\":\($0),\"t\":\"x\"}\n" }.joined() }

  /// Records a run, changes its lines, and replays them by rows and by values.
  private func replay(_ change: (inout [String]) -> Void) throws -> (output: RecordedRun.Output, rowCount: Int) {
    let recorded = RecordedRun(folder: Fixture.Folder())
    _ = try recorded.record(Self.counting, Self.lines(100))
    var lines = Fixture.read(recorded.path).split(separator: "\n").map(String.init)
    change(&lines)
    Fixture.write(lines.joined(separator: "\n"), to: recorded.path)
    let byRows = recorded.replay(takesRows: true)
    #expect(byRows.output == recorded.replay(takesRows: false).output)
    return byRows
  }

  @Test("Most values of a recording are read as rows")
  func rows() throws {
    let (output, rowCount) = try replay { $0.append("") }
    #expect(output == RecordedRun.Output(lines: (0..<100).map { "{\"x\":\($0)}" }, messages: "", code: 0))
    #expect(rowCount > 80)
  }

  @Test("A damaged line among rows is refused with its place, after the output for the lines before it")
  func damaged() throws {
    for damage in [#"{"at":0,"input":"a","value":{"n":}}"#, #"{"at":0,"input":"a","val"#, "x", "{}"] {
      let (output, rowCount) = try replay { $0[50] = damage }
      #expect(output.lines.count == 49 && output.code == 2 && rowCount > 30, "\(output)")
      #expect(output.messages.contains("r.ndjson:51:"), "\(output.messages)")
    }
  }

  @Test("The last line of rows may be cut")
  func cut() throws {
    let (output, rowCount) = try replay {
      $0.removeLast(2)
      $0[100] = String($0[100].dropLast(3))
    }
    #expect(output.lines.count == 99 && output.code == 0 && rowCount > 80, "\(output)")
    #expect(output.messages.contains("its last line is cut"))
  }

  @Test("Tagged values, other members and white space among rows are read one by one")
  func others() throws {
    for line in [
      #"{"at":0,"input":"a","value":{"n":{"$uint":"7"},"t":"x"}}"#, #"{ "at": 0, "input": "a", "value": {"n": 7}}"#,
      #"{"at":0,"input":"a","value":{"n":7,"t":"x"},"value2":1}"#, #"{"at":0,"input":"a","value":{"n":7,"t":"$"}}"#,
      #"{"value":{"n":7,"t":"x"},"at":0,"input":"a"}"#, #"{"at":0.0,"input":"a","value":{"t":"x","n":7}}"#,
    ] {
      let (output, rowCount) = try replay { $0[50] = line }
      #expect(output.lines.count == 100 && output.lines[49] == #"{"x":7}"# && output.code == 0, "\(output)")
      #expect(rowCount > 60, "\(line)")
    }
  }

  @Test("A stream that is swapped among rows continues as the other version")
  func swapped() throws {
    for after in ["", ",\"after\":0", ",\"after\":1"] {
      let (output, rowCount) = try replay { lines in
        let other = Self.counting.replacing("value.n", with: "-value.n")
        let text = JSONWriter.compact(.string(other))
        lines.insert(#"{"at":0,"swap":{"file":"s.json","path":"/s.json","id":"","text":\#(text)}\#(after)}"#, at: 51)
      }
      let isEarly = after.contains("0")
      #expect(output.lines.count >= 99 && output.lines[48] == #"{"x":48}"#, "\(after) \(output)")
      #expect(output.lines.last == #"{"x":-99}"# && rowCount > 50 && (isEarly || output.lines.count == 100))
    }
  }
}

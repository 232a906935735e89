import StreamCore
import StreamEngine
import StreamKit
import TestSupport
import Testing

@testable import StreamDriving
@testable import StreamFiles

/// A resumed output has the bytes of one that was never stopped.
@Suite struct OutputPositionTests {
  private struct Setting: Sendable, CustomStringConvertible {
    let name: String
    let format: ValueFormat
    let rotation: RotationRule?
    var description: String { "\(name) rotated at \(rotation.map(\.description) ?? "never")" }
  }

  private static let settings: [Setting] = [
    ("o.ndjson", ValueFormat.ndjson), ("o.json", .json), ("o.csv", .csv), ("o.txt", .text),
  ].flatMap { name, format in
    [nil, .size(ByteCount(40)), .period(seconds: 5)].map { Setting(name: name, format: format, rotation: $0) }
  }

  private static func value(_ number: Int) -> Value {
    guard let document = try? JSONDocument(reading: #"{"n": \#(number), "d": "d\#(number)"}"#, file: "value") else {
      return .null
    }
    return document.value
  }

  /// Writes the values, whose times in seconds are their numbers. Returns the positions before the given numbers.
  private func write(
    _ numbers: Range<Int>, to path: String, _ setting: Setting, resuming position: OutputPosition? = nil,
    saving: Set<Int> = [], finishes: Bool
  ) throws -> [Int: OutputPosition] {
    let file = try FileSink(path, UsedFiles(), rotates: setting.rotation != nil)
    let output =
      try position.map { position in
        let output = RunOutput(
          OutputBuffer(to: file), name: nil, format: setting.format, rotation: setting.rotation)
        let warning = try output.resume(from: position)
        #expect(warning == nil)
        return output
      } ?? RunOutput(to: file, name: nil, format: setting.format, rotation: setting.rotation)
    var present: Int64 = 0
    output.begin(nil, isLive: false) { Timestamp(seconds: present) }
    var positions: [Int: OutputPosition] = [:]
    for number in numbers {
      present = Int64(number)
      if saving.contains(number) {
        try output.buffer.flushAll()
        positions[number] = try output.position()
      }
      try output.rotateBeforeValue()
      try output.write(Self.value(number), at: StreamTime(seconds: Double(number)), atMost: .standardValue)
      try output.buffer.flushIfFull()
    }
    if finishes { output.finish(StreamEnd(time: .zero, event: .finished)) }
    try output.close()
    return positions
  }

  private func contents(_ folder: Fixture.Folder) -> [String: String] {
    let names = Fixture.names(in: folder.path, ending: "")
    return Dictionary(uniqueKeysWithValues: names.map { ($0, Fixture.read(folder.path($0))) })
  }

  @Test("A run that is stopped at any value, and resumed, writes the bytes of one that is not", arguments: settings)
  private func resumes(_ setting: Setting) throws {
    let whole = Fixture.Folder()
    _ = try write(0..<20, to: whole.path(setting.name), setting, finishes: true)
    let expected = contents(whole)
    #expect(setting.rotation == nil || expected.count > 2)
    for saved in stride(from: 0, to: 20, by: 3) {
      for stopped in [saved, saved + 1, 20] {
        let folder = Fixture.Folder()
        let path = folder.path(setting.name)
        let positions = try write(0..<20, to: path, setting, saving: [saved], finishes: stopped == 20)
        let position = try #require(positions[saved])
        _ = try write(saved..<20, to: path, setting, resuming: position, finishes: true)
        let actual = contents(folder)
        #expect(actual == expected, "saved before \(saved), stopped before \(stopped)")
      }
    }
  }

  @Test("A position survives its own JSON")
  func codes() throws {
    let folder = Fixture.Folder()
    let setting = Setting(name: "o.csv", format: .csv, rotation: .size(ByteCount(20)))
    let positions = try write(0..<9, to: folder.path("o.csv"), setting, saving: [7], finishes: false)
    let position = try #require(positions[7])
    let coded = try ValueDecoder().decode(OutputPosition.self, from: ValueEncoder().encode(position))
    #expect(coded == position)
  }

  @Test("A file that is shorter, changed or gone is refused, and stays unchanged")
  func refuses() throws {
    let folder = Fixture.Folder()
    let path = folder.path("o.ndjson")
    let setting = Setting(name: "o.ndjson", format: .ndjson, rotation: nil)
    let positions = try write(0..<9, to: path, setting, saving: [7], finishes: false)
    let position = try #require(positions[7])
    for (text, message) in [
      ("{}\n", "it had"), (String(repeating: "{}\n", count: 500), "has been changed since the state was saved"),
    ] {
      Fixture.write(text, to: path)
      let file = try FileSink(path, UsedFiles())
      let output = try RunOutput(to: file, name: nil, format: .ndjson)
      let error = #expect(throws: Diagnostic.self) { _ = try output.resume(from: position) }
      #expect(error?.message.contains(message) == true, "\(String(describing: error))")
      #expect(Fixture.read(path) == text)
    }
  }

  @Test("Names of rotated files are in the order of rotation, even if the clock is set back")
  func ordersNames() throws {
    let first = RotatedName(of: "a.b.csv", at: Timestamp(seconds: 1_800_000_000), after: nil)
    let second = RotatedName(of: "a.b.csv", at: Timestamp(seconds: 1_700_000_000), after: first)
    let third = RotatedName(of: "a.b.csv", at: Timestamp(seconds: 1_800_000_001), after: second)
    #expect(first.text == "a.b-20270115T080000Z.csv")
    #expect(second.text == "a.b-20270115T080000Z-2.csv")
    #expect(third.text == "a.b-20270115T080001Z.csv")
    #expect(first < second && second < third)
    #expect([first, second, third].map { RotatedName($0.text, of: "a.b.csv") } == [first, second, third])
    let others = [
      "a.b.csv", "a.b-.csv", "a.b-20270115T080000Z-1.csv", "a.b-20270115T0800Z.csv", "b-20270115T080000Z.csv",
    ]
    for other in others {
      #expect(RotatedName(other, of: "a.b.csv") == nil, "\(other)")
    }
  }
}

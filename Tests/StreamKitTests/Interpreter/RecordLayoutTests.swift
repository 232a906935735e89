import StreamCore
import StreamKit
import StreamRuntime
import StreamTesting
import Testing

/// Structs that are sent as they lie in memory are the records that they stand for.
@Suite struct RecordLayoutTests {
  private struct Reading {
    var isOn: Bool
    var t: Int
    var z: Double
    var device: String
    var count: Int64
    var tilt: Double { z * 2 }
    var extra: Value { .list([.int(count)]) }

    static let layout = RecordLayout<Reading>(
      .field("t", \.t), .field("isOn", \.isOn), .field("z", \.z), .field("device", \.device), .field("count", \.count),
      .field("tilt", \.tilt), .field("extra", \.extra))
  }

  private static let readings: [Reading] = (0..<3_000).map { (place: Int) -> Reading in
    let z: Double = place % 500 == 499 ? .nan : Double(place % 40) / 20 - 1
    let count: Int64 = place == 2_700 ? .max : Int64(place * 31 % 977)
    return Reading(isOn: place % 7 < 4, t: place, z: z, device: "d\(place % 3)", count: count)
  }

  private static let operators: [Value] = [
    ["map": ["expression": "value.z > 0.25 ? 1 : value.z < -0.25 ? -1 : 0"]], ["map": ["expression": "value.z * 0.5"]],
    ["map": ["expression": "value.t"]], ["map": ["expression": "value.count + 1"]],
    ["map": ["expression": "value.t + value.count"]], ["filter": ["expression": "value.isOn"]],
    ["filter": ["expression": "value.z > 0.0 && value.t % 3 == 0"]], ["filter": ["expression": "value.device == 'd1'"]],
    ["map": ["expression": "value.tilt"]], ["map": ["expression": "value.isOn ? value.z : double(value.t)"]],
    ["map": ["expression": "1000 / (value.t - 1500)"]], ["filter": ["expression": "value.extra[0] > 500"]],
  ]

  private static let behind: [[Value]] = [
    [["last": .map(ValueMap())]], [["removeDuplicates": .map(ValueMap())], ["count": .map(ValueMap())]],
    [["removeDuplicates": .map(ValueMap())]], [["count": .map(ValueMap())]], [["max": .map(ValueMap())]],
    [["scan": ["initialValue": 0, "expression": "acc + value"]], ["last": .map(ValueMap())]],
    [["drop": ["count": 2_990]]],
    [["delay": ["seconds": 1]], ["count": .map(ValueMap())]],
  ]

  private static let types: [Value] = [
    .map(ValueMap()),
    [
      "type": [
        "t": "int", "isOn": "bool", "z": "double", "device": "string", "count": "int", "tilt": "double",
        "extra": "list(int)",
      ]
    ],
  ]

  private func told(_ execution: Execution, asRecords: Bool) throws -> [String] {
    var told: [String] = []
    let time = StreamTime(nanoseconds: 5)
    func drain(_ event: ExecutionEvent?) {
      var event = event
      while let next = event {
        if case .failure(let failure) = next {
          told.append("\(failure.message) at \(failure.pointer) for \(failure.value ?? .null)")
        } else {
          told.append("\(next)")
        }
        event = execution.next()
      }
    }
    var rest = Self.readings[...]
    while asRecords, !rest.isEmpty { drain(execution.next(sending: &rest, as: Reading.layout, to: 0, at: time)) }
    for reading in rest { drain(execution.next(sending: Reading.layout.value(of: reading), to: 0, at: time)) }
    told.append(try execution.snapshot().text())
    execution.finish(0, at: time)
    execution.advance(to: StreamTime(nanoseconds: 2_000_000_000))
    drain(execution.next())
    return told
  }

  @Test("Structs say what their records say", arguments: operators, types)
  func saysTheSame(_ operation: Value, _ type: Value) throws {
    var compared = 0
    for behind in Self.behind {
      let model: Value = [
        "inputs": ["a": type], "source": ["input": ["name": "a"]], "operators": .list([operation] + behind),
      ]
      // Not every operator takes what comes to it.
      guard let pipeline = try? StreamModel(json: model).compile() else { continue }
      compared += 1
      let (records, values) = (Execution(pipeline), Execution(pipeline))
      for execution in [records, values] {
        execution.request(.unlimited)
        while execution.next() != nil {}
      }
      let (actual, expected) = (try told(records, asRecords: true), try told(values, asRecords: false))
      #expect(actual == expected, "\(behind)")
    }
    #expect(compared > 4)
  }

  @Test("A struct's fields are a record's, in order; the first of two with one name counts")
  func records() {
    let layout = RecordLayout<Reading>(.field("z", \.z), .field("t", \.t), .field("z", \.tilt))
    let value = layout.value(of: Reading(isOn: true, t: 3, z: 0.5, device: "", count: 0))
    #expect(value == ["z": 0.5, "t": 3])
  }
}

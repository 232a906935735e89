package import StreamCore
internal import StreamEngine

// Variants of a stream that read the lines of a file instead of an input.

extension RandomPipeline {
  package static func fileName(_ mode: Differential.Mode) -> String { "rows.\(mode.rawValue)" }

  /// Maximum number of lines of a file.
  private static let lineLimit = 300

  /// The stream file over a file of lines, with the text of the file: for a single input without pauses. Half of the
  /// records are read from a table.
  package var fileVariants: [(mode: Differential.Mode, model: Value, text: String)] {
    guard size <= Self.lineLimit, case .map(let map) = model, case .map(let inputs)? = map["inputs"],
      inputs.count == 1, case .map(let declaration)? = inputs["a"]
    else { return [] }
    let mode: Differential.Mode
    var type = declaration["type"]
    let text: String
    switch feed {
    case .source: return []
    case .readings(let readings) where seed % 2 == 0:
      (mode, type) = (.csv, Reading.type)
      text = "isOn,t,z\n" + readings.map { "\($0.isOn),\($0.t),\($0.z)\n" }.joined()
    default:
      guard let values = valuesWithoutPauses else { return [] }
      mode = .ndjson
      text = values.map { JSONWriter.compact($0) + "\n" }.joined()
    }
    var fields: [(Value, Value)] = [("path", .string(Self.fileName(mode))), ("format", .string(mode.rawValue))]
    if let type { fields.append(("type", type)) }
    let members = map.pairs.filter { $0.0 != "inputs" }.map { key, value in
      (key, key == "source" ? ["file": .map(ValueMap(fields))] : value)
    }
    return [(mode, .map(ValueMap(members)), text)]
  }

  /// The values of an input that gets all of them at time zero and then finishes.
  package var valuesWithoutPauses: [Value]? {
    guard var events, events.last?.time == .zero, case .finished? = events.popLast()?.kind else { return nil }
    var values: [Value] = []
    for event in events {
      guard case .value(let value) = event.kind else { return nil }
      values.append(value)
    }
    return values
  }
}

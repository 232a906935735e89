internal import StreamCore
internal import StreamKit

/// The options of a worker's session, a JSON object in the request `H`.
struct WorkerOptions {
  /// Whether records that are not JSON and values that make an operator fail are skipped.
  let skipsErrors: Bool
  /// Whether the adapter sets event time: the session does not change `newest` of a request `K`.
  let hasGivenTime: Bool
  /// Whether each item of a batch has the place of its source.
  let hasSources: Bool
  /// Whether answers with results have the number of values that were skipped.
  let countsSkipped: Bool

  private static let names = ["skipErrors", "givenTime", "sources", "countSkipped"]

  /// - Parameter text: JSON; empty for the defaults, which are false.
  init(_ text: [UInt8]) throws(StageError) {
    var map = ValueMap()
    if !text.isEmpty {
      guard let value = try? JSONDocument(reading: text, file: "options").value, case .map(let members) = value else {
        throw .refused("the options of 'H' are not a JSON object")
      }
      map = members
    }
    for key in map.keys where !Self.names.contains(where: { key == .string($0) }) {
      throw .refused(
        "unknown option \(JSONWriter.beginning(of: key, bytes: 100)); expected "
          + Self.names.map { "\"\($0)\"" }.joined(separator: ", "))
    }
    skipsErrors = try Self.flag("skipErrors", in: map)
    hasGivenTime = try Self.flag("givenTime", in: map)
    hasSources = try Self.flag("sources", in: map)
    countsSkipped = try Self.flag("countSkipped", in: map)
  }

  private static func flag(_ name: String, in map: ValueMap) throws(StageError) -> Bool {
    switch map[name] {
    case nil: return false
    case .bool(let isSet)?: return isSet
    case let other?: throw .refused("the option \"\(name)\" is \(other.describedType); expected true or false")
    }
  }
}

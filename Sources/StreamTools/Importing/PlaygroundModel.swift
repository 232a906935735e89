import StreamCore

/// A model of the playground, independent of the generation that wrote it.
struct PlaygroundModel {
  /// Location in the old file.
  var pointer: JSONPointer
  /// The id that other models refer to.
  var id: String?
  /// The id, if it is a UUID.
  var uuid: String?
  var name: String?
  var description: String?
  /// Whether operations that name no stream may work on it.
  var isDefault = false
  /// The source of the values.
  var body: Body
  /// The operators in order.
  var operators: [PlaygroundOperator] = []
  /// The generations that could have written it.
  var generations: Set<PlaygroundGeneration>
  /// Assumptions and omissions made while reading it.
  var notes: [Diagnostic] = []

  enum Body {
    /// Values stored in the model.
    case items([PlaygroundItem])
    /// Another stream by its id; without an id, the first default stream.
    case stream(PlaygroundReference?)
    /// Several streams combined, by their ids; without ids, the first two default streams.
    case union(PlaygroundUnion, [PlaygroundReference]?)
  }
}

/// A value of a stream and its operators.
struct PlaygroundItem {
  var value: Value
  var operators: [PlaygroundOperator]
}

/// The id of another stream, and the location of the reference in the old file.
struct PlaygroundReference {
  var id: String
  var pointer: JSONPointer
}

/// An operation that combines several streams. The names are those of Combine and of format 1.
enum PlaygroundUnion: String, CaseIterable {
  case merge, flatMap, append, zip, combineLatest

  /// Whether it takes two streams, no more and no fewer.
  var isJoin: Bool { self == .zip || self == .combineLatest }
}

/// An operator of the playground.
struct PlaygroundOperator {
  /// Location of its fields in the old file.
  var pointer: JSONPointer
  var kind: Kind

  enum Kind {
    /// Seconds as an integer or a double.
    case delay(Value)
    case dropFirst(Int64)
    /// A format string of NSPredicate.
    case filter(String)
    /// A format string of NSExpression.
    case map(String)
    /// A format string of NSExpression; the initial value is missing in files before generation 5.
    case scan(initialValue: Value?, String)
  }

  /// The playground's names for its operators.
  static let names = ["delay", "filter", "dropFirst", "map", "scan"]
}

public import StreamCore

/// A difference between two versions of a stream file.
///
/// ```swift
/// for change in StreamDiff(from: old, to: new).changes {
///   lines.append("\(change.kind.rawValue) \(change.name): \(change.fields.map(\.name))")
/// }
/// ```
public struct StreamChange: Hashable, Sendable {
  public enum Kind: String, Hashable, Sendable, Codable, CaseIterable {
    case added, removed, moved, changed
  }

  /// The part of the file that differs.
  public enum Subject: String, Hashable, Sendable, Codable, CaseIterable {
    /// The members of a stream that are not arrays: name, description and so on.
    case stream
    case source, item, input, output
    /// A stream in `streams`, or one that an operator uses.
    case namedStream, streamReference
    /// An operator, with its fields and the members beside its name.
    case placedOperator = "operator"
    case test
    /// An entry of `parameters`, `types` or `definitions`.
    case parameter, type, definition
  }

  public let kind: Kind
  public let subject: Subject
  /// The name of the operator, source, input, stream or test; empty if it has none.
  public let name: String
  /// Location in the old file; nil if it was added.
  public let oldPointer: JSONPointer?
  /// Location in the new file; nil if it was removed.
  public let newPointer: JSONPointer?
  /// The complete old value; nil if it was added.
  public let oldValue: Value?
  public let newValue: Value?
  /// The changed fields, if `kind` is `changed`.
  public let fields: [Field]
  /// The effect on a running stream.
  public let effect: Effect

  /// A field that differs.
  public struct Field: Hashable, Sendable {
    public let name: String
    /// The old value; nil if the field was absent.
    public let old: Value?
    public let new: Value?
    public let effect: Effect
  }
}

extension StreamChange {
  /// The effect of a change on a running stream, in increasing severity.
  public enum Effect: String, Hashable, Sendable, Codable, CaseIterable, Comparable {
    /// The behavior stays the same: names, descriptions, labels, tests, other spellings of the same value.
    case noBehavior
    /// The behavior changes, and the stored state still applies.
    case stateKept
    /// The sources or connections change; no stored state is lost.
    case structure
    /// The stored state of an operator is lost or becomes meaningless.
    case stateLost

    public static func < (lhs: Effect, rhs: Effect) -> Bool {
      lhs.rank < rhs.rank
    }

    private var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }
  }
}

/// For lists of SwiftUI: changes that differ are different entries.
extension StreamChange: Identifiable {
  public var id: Self { self }
}

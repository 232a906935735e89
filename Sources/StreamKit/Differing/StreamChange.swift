public import StreamCore

/// A difference between two versions of a stream file.
public struct StreamChange: Hashable, Sendable {
  public enum Kind: String, Hashable, Sendable, Codable, CaseIterable {
    case added, removed, moved, changed
  }

  /// What it is that differs.
  public enum Subject: String, Hashable, Sendable, Codable, CaseIterable {
    /// The members of a stream that are no lists: name, description and so on.
    case stream
    case source, item, input
    /// A stream under `streams`, or one that an operator takes.
    case namedStream, streamReference
    /// An operator, with its fields and what stands beside its name.
    case placedOperator = "operator"
    case test
  }

  public let kind: Kind
  public let subject: Subject
  /// What people call it: an operator's, a source's, an input's, a stream's or a test's name; empty without one.
  public let name: String
  /// Where it stands in the old file; nil where it is added.
  public let oldPointer: JSONPointer?
  /// Where it stands in the new file; nil where it is removed.
  public let newPointer: JSONPointer?
  /// The whole of it; nil where it is not in that file.
  public let oldValue: Value?
  public let newValue: Value?
  /// What has changed of it, where `kind` is `changed`.
  public let fields: [Field]
  /// What it means for a stream that runs.
  public let effect: ChangeEffect

  /// A field that differs.
  public struct Field: Hashable, Sendable {
    public let name: String
    /// Nil where the field is not there.
    public let old: Value?
    public let new: Value?
    public let effect: ChangeEffect
  }
}

/// What a change means for a stream that runs, the least first.
public enum ChangeEffect: String, Hashable, Sendable, Codable, CaseIterable, Comparable {
  /// The stream does what it did: names, descriptions, labels, tests, other spellings of the same.
  case noBehavior
  /// The stream does something else, and what is stored still fits.
  case stateKept
  /// Values come from elsewhere, or go another way; nothing that is stored is lost.
  case structure
  /// What an operator has stored is lost, or has no meaning any more.
  case stateLost

  public static func < (lhs: ChangeEffect, rhs: ChangeEffect) -> Bool {
    lhs.rank < rhs.rank
  }

  private var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}

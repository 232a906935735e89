public import CEL
public import StreamCore
public import StreamKit

/// What differs between two stream files, by meaning.
///
/// Operators are found again by their `id`, tests by their name, inputs and named streams by theirs; else by equality in
/// order, else by the cheapest edit. The order of members means nothing.
public struct StreamDiff: Hashable, Sendable {
  /// From the outside to the inside, in the order of the new file, what is removed before what is added.
  public let changes: [StreamChange]
  /// The type of the stream's values; nil where it is the same in both, or is not known.
  public let outputType: OutputTypeChange?
  private let old: Value
  private let new: Value

  /// The type of the stream's values, as it was and as it is.
  public struct OutputTypeChange: Hashable, Sendable {
    public let old: CELType
    public let new: CELType
  }

  /// What differs between two models.
  public init(from old: StreamModel, to new: StreamModel) {
    let options = CompileOptions(host: .any)
    self.init(old.json, new.json, try? old.outputType(options), try? new.outputType(options))
  }

  /// What differs between two files.
  ///
  /// - Parameter old: the file before.
  /// - Parameter new: the file after.
  /// - Parameter outputTypes: the types of their values (`StreamFile.outputType`), as far as they are known.
  public init(from old: StreamFile, to new: StreamFile, outputTypes: (old: CELType?, new: CELType?) = (nil, nil)) {
    self.init(old.document.value, new.document.value, outputTypes.old, outputTypes.new)
  }

  private init(_ old: Value, _ new: Value, _ oldType: CELType?, _ newType: CELType?) {
    self.old = old
    self.new = new
    var collector = ChangeCollector()
    collector.compareModels(
      StreamPart(value: old, pointer: JSONPointer()), StreamPart(value: new, pointer: JSONPointer()))
    changes = collector.changes
    if let oldType, let newType, oldType != newType {
      outputType = OutputTypeChange(old: oldType, new: newType)
    } else {
      outputType = nil
    }
  }

  /// Whether nothing differs but perhaps the order of members.
  public var isEmpty: Bool { changes.isEmpty }

  /// The gravest of what the changes mean; nil where there are none.
  public var effect: ChangeEffect? { changes.map(\.effect).max() }

  /// The operations that make the new file of the old one.
  public var patch: JSONPatch { JSONPatch(from: old, to: new) }

  /// The merge patch that makes the new file of the old one.
  ///
  /// - Throws: `patchUnsayable` for each change that no merge patch can say, at its place in the new file.
  public func mergePatch() throws(Diagnostics) -> MergePatch { try MergePatch(from: old, to: new) }

  /// The changes as JSON.
  public var value: Value {
    var writer = MemberWriter()
    writer.add("same", .bool(isEmpty))
    writer.add("effect", effect?.rawValue)
    writer.add(
      "outputType",
      outputType.map { ["old": .string("\($0.old)"), "new": .string("\($0.new)")] })
    writer.add("changes", changes.map(\.json), always: true)
    return writer.value
  }
}

extension StreamChange {
  /// The change as JSON.
  fileprivate var json: Value {
    var writer = MemberWriter()
    writer.add("change", kind.rawValue)
    writer.add("what", subject.rawValue)
    writer.add("name", name.isEmpty ? nil : name)
    writer.add("effect", effect.rawValue)
    writer.add("from", oldPointer?.description)
    writer.add("to", newPointer?.description)
    if kind == .changed {
      writer.add("fields", fields.map(\.json))
    } else {
      writer.add("old", oldValue)
      writer.add("new", newValue)
    }
    return writer.value
  }
}

extension StreamChange.Field {
  fileprivate var json: Value {
    var writer = MemberWriter()
    writer.add("field", name)
    writer.add("effect", effect.rawValue)
    writer.add("old", old)
    writer.add("new", new)
    return writer.value
  }
}

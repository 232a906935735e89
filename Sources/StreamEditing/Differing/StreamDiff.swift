public import CEL
public import StreamCore
public import StreamKit

/// The semantic differences between two stream files.
///
/// ```swift
/// let diff = StreamDiff(from: old, to: new)
/// lines = diff.lines
/// ```
///
/// Operators are matched by their `id`, tests, inputs and named streams by their name; others by equality in order, and
/// then by the smallest edit. The order of members is ignored.
public struct StreamDiff: Hashable, Sendable {
  /// The changes from the outside to the inside, in the order of the new file; removals come before additions.
  public let changes: [StreamChange]
  /// The types of the stream's values; nil if they are equal or unknown.
  public let outputType: OutputTypeChange?
  private let old: Value
  private let new: Value

  /// The old and the new type of the stream's values.
  public struct OutputTypeChange: Hashable, Sendable {
    public let old: CELType
    public let new: CELType
  }

  /// Compares two models.
  public init(from old: StreamModel, to new: StreamModel) {
    let options = CompileOptions(host: .any)
    self.init(old.json, new.json, try? old.outputType(options), try? new.outputType(options))
  }

  /// Compares two files.
  ///
  /// - Parameters:
  ///   - old: The file before the changes.
  ///   - new: The file after the changes.
  ///   - outputTypes: The types of their values (`StreamFile.outputType`), if known.
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

  /// Whether the files are equal, except perhaps for the order of members.
  public var isEmpty: Bool { changes.isEmpty }

  /// The most severe effect of the changes; nil if there are none.
  public var effect: StreamChange.Effect? { changes.map(\.effect).max() }

  /// A patch that changes the old file to the new one.
  public var patch: JSONPatch { JSONPatch(from: old, to: new) }

  /// Returns a merge patch that changes the old file to the new one.
  ///
  /// - Throws: `patchUnsayable` for each change that a merge patch cannot express, at its location in the new file.
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

extension StreamDiff: CustomStringConvertible {
  /// A line for each change, in words: `added operator 1 (filter)`, `operator 2 (debounce): seconds was 0.3, is 0.5`.
  public var lines: [String] {
    changes.flatMap { change -> [String] in
      let place =
        if let pointer = change.newPointer {
          StreamPlace.words(pointer, in: new)
        } else {
          StreamPlace.words(change.oldPointer ?? JSONPointer(), in: old)
        }
      guard change.kind == .changed else { return ["\(change.kind.rawValue) \(place)"] }
      return change.fields.map { field in
        let (before, now) = (field.old?.description ?? "absent", field.new?.description ?? "absent")
        return "\(place): \(field.name) was \(before), is \(now)"
      }
    }
  }

  /// The changes, one a line; `no changes` if there are none.
  public var description: String { changes.isEmpty ? "no changes" : lines.joined(separator: "\n") }
}

public import StreamCore
public import StreamKit

/// Edits the text of a stream file and keeps everything else byte for byte.
///
/// ```swift
/// var editor = StreamEditor(try JSONDocument(reading: text, file: "search.json"))
/// try editor.apply(.addOperator(JSONFragment(PlacedOperator.debounce(seconds: 0.3).json)))
/// let changed = editor.text
/// editor.undo()
/// ```
///
/// White space, the order of keys, and the spelling of numbers and escapes are kept; new parts take the layout of their
/// neighbors. Every edit is checked by reading and compiling the result; an edit with an invalid result changes
/// nothing. The editor performs no input or output.
///
/// - Memory: The text, and the changed bytes of each edit that can be undone.
public struct StreamEditor: Sendable {
  /// The current file.
  public private(set) var document: JSONDocument
  /// Options for compiling the result of an edit. Default: a host that accepts every function and every hook.
  public let options: CompileOptions
  /// The unique identity of the file, to which the paths in it are relative.
  public let identity: String
  /// Maximum number of edits that can be undone, 0 or more; the oldest is discarded first. Default 1,000.
  public var undoLimit = 1_000 {
    didSet { done.removeFirst(max(0, done.count - max(0, undoLimit))) }
  }
  /// The result of the edits refused last, to which their diagnostics refer. Nil if the edit itself was invalid; its
  /// diagnostics refer to the current file.
  public private(set) var refused: JSONDocument?

  private let limits: JSONLimits
  private var done: [TextChange] = []
  private var undone: [TextChange] = []

  /// Creates an editor for a file. An invalid file accepts only edits that make it valid.
  public init(
    _ document: JSONDocument, identity: String = "", options: CompileOptions = CompileOptions(host: .any),
    limits: JSONLimits = JSONLimits()
  ) {
    self.document = document
    self.identity = identity
    self.options = options
    self.limits = limits
  }

  /// The current text.
  public var text: String { String(decoding: document.source.bytes, as: UTF8.self) }

  /// Performs an edit.
  ///
  /// - Throws: The errors in the edit, or in its result; the file is unchanged.
  public mutating func apply(_ edit: StreamEdit) throws(Diagnostics) { try apply([edit]) }

  /// Performs edits in order as a single undo step. Only the final result is checked.
  ///
  /// - Throws: The errors in an edit, or in the result; the file is unchanged.
  public mutating func apply(_ edits: [StreamEdit]) throws(Diagnostics) {
    refused = nil
    let (outcome, problem) = try Self.outcome(of: edits, on: document, limits)
    if let problem {
      if outcome.source.bytes != document.source.bytes { refused = outcome }
      throw Diagnostics([problem])
    }
    do throws(Diagnostics) {
      _ = try StreamFile(outcome, identity: identity).compile(options)
    } catch {
      refused = outcome
      throw error
    }
    let change = TextChange(from: document.source.bytes, to: outcome.source.bytes)
    guard change.old != change.new else { return }
    document = outcome
    undone = []
    done.append(change)
    done.removeFirst(max(0, done.count - max(0, undoLimit)))
  }

  /// Returns the document after these edits, which need not be a valid stream file.
  ///
  /// - Throws: The errors in an edit.
  package static func document(
    _ document: JSONDocument, after edits: [StreamEdit]
  ) throws(Diagnostics) -> JSONDocument {
    let (outcome, problem) = try outcome(of: edits, on: document, JSONLimits())
    if let problem { throw Diagnostics([problem]) }
    return outcome
  }

  /// Returns the document after these edits; if one fails, the document before it, and the errors.
  static func outcome(
    of edits: [StreamEdit], on document: JSONDocument, _ limits: JSONLimits
  ) throws(Diagnostics) -> (document: JSONDocument, problem: Diagnostic?) {
    var outcome = document
    for edit in edits {
      let bytes: [UInt8]
      do throws(Diagnostic) {
        bytes = try DocumentEdit(outcome).bytes(after: edit.exact(in: outcome), limits)
      } catch {
        return (outcome, outcome.locate(error))
      }
      outcome = try JSONDocument(reading: bytes, file: document.file, limits: limits)
    }
    return (outcome, nil)
  }

  public var canUndo: Bool { !done.isEmpty }
  public var canRedo: Bool { !undone.isEmpty }

  /// Undoes the last step and restores the exact text. Has no effect without one.
  public mutating func undo() {
    guard let change = done.popLast() else { return }
    take(change.inverse)
    undone.append(change)
  }

  /// Redoes the step undone last. Has no effect without one.
  public mutating func redo() {
    guard let change = undone.popLast() else { return }
    take(change)
    done.append(change)
  }

  /// Restores an earlier or later text.
  private mutating func take(_ change: TextChange) {
    let bytes = change.applied(to: document.source.bytes)
    if let read = try? JSONDocument(reading: bytes, file: document.file, limits: limits) { document = read }
  }
}

public import StreamCore
public import StreamKit

/// Edits the text of a stream file: what is not edited stays byte for byte as it was.
///
/// White space, the order of keys, the spelling of numbers and escapes are kept; what is new takes the layout of its
/// neighbors. Every edit is checked by reading and compiling its outcome, and one that would leave the file wrong
/// changes nothing. It does no input or output: an app or a web page says what happens to the text.
///
/// - Memory: the text, and of each step that can be undone the bytes that it changed.
public struct StreamEditor: Sendable {
  /// The file as it is now.
  public private(set) var document: JSONDocument
  /// How the outcome of an edit is compiled. Default: for a host that takes every function and every hook.
  public let options: CompileOptions
  /// What tells the file from every other: the base of paths in it.
  public let identity: String
  /// How many steps can be undone, 0 or more; the oldest is forgotten first. Default 1,000.
  public var undoLimit = 1_000 {
    didSet { done.removeFirst(max(0, done.count - max(0, undoLimit))) }
  }
  /// The file as the edits that were refused last would have left it: diagnostics point into it. Nil where it was the
  /// edit that was wrong, and its diagnostics point into the file as it is.
  public private(set) var refused: JSONDocument?

  private let limits: JSONLimits
  private var done: [TextChange] = []
  private var undone: [TextChange] = []

  /// An editor of a file that has been read. The file may be wrong: then only edits that mend it are taken.
  public init(
    _ document: JSONDocument, identity: String = "", options: CompileOptions = CompileOptions(host: .any),
    limits: JSONLimits = JSONLimits()
  ) {
    self.document = document
    self.identity = identity
    self.options = options
    self.limits = limits
  }

  /// The text as it is now.
  public var text: String { String(decoding: document.source.bytes, as: UTF8.self) }

  /// Makes one edit.
  ///
  /// - Throws: what is wrong with the edit, or all that would be wrong with the file; nothing has changed then.
  public mutating func apply(_ edit: StreamEdit) throws(Diagnostics) { try apply([edit]) }

  /// Makes these edits one after the other, as one step: only the last outcome is checked.
  ///
  /// - Throws: what is wrong with an edit, or all that would be wrong with the file; nothing has changed then.
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

  /// The document after these edits; where one of them cannot be done, after those before it, and why.
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

  /// Takes the last step back: the text is byte for byte what it was. Does nothing where there is none.
  public mutating func undo() {
    guard let change = done.popLast() else { return }
    take(change.inverse)
    undone.append(change)
  }

  /// Does again what was undone last. Does nothing where there is nothing.
  public mutating func redo() {
    guard let change = undone.popLast() else { return }
    take(change)
    done.append(change)
  }

  /// Goes to a text that the file has been before.
  private mutating func take(_ change: TextChange) {
    let bytes = change.applied(to: document.source.bytes)
    if let read = try? JSONDocument(reading: bytes, file: document.file, limits: limits) { document = read }
  }
}

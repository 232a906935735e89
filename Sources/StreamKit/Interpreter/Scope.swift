internal import CEL
internal import StreamCore

/// The names that can be seen from one model: its own, then those of the model around it.
final class Scope {
  let model: StreamModel
  /// The text that the model stands in.
  let document: JSONDocument?
  /// The file that the model stands in.
  let identity: String?
  let outer: Scope?
  /// Where the model stands in its file.
  let pointer: JSONPointer
  /// Where its file is named, seen from the first file; empty for what stands in the first file itself.
  let origin: JSONPointer
  /// What the operators around the model tell of the value that they started it for; the outermost first.
  let captured: [Variable]
  /// How many such operators are around it.
  let frameDepth: Int

  /// Streams that are compiled already.
  var compiled: [String: CompiledStream] = [:]
  /// Streams being compiled, outermost first.
  var open: [String] = []
  /// What a test puts in the place of named streams.
  var replacements: [String: Source] = [:]

  init(
    _ model: StreamModel, document: JSONDocument?, identity: String?, outer: Scope?, pointer: JSONPointer,
    origin: JSONPointer? = nil, capturing: [Variable]? = nil
  ) {
    captured = (outer?.captured ?? []) + (capturing ?? [])
    frameDepth = (outer?.frameDepth ?? 0) + (capturing == nil ? 0 : 1)
    self.model = model
    self.document = document
    self.identity = identity
    self.outer = outer
    self.pointer = pointer
    self.origin = origin ?? outer?.origin ?? JSONPointer()
  }

  func isOpen(_ name: String) -> Bool { open.contains(name) }

  /// Returns the streams being compiled, from the one with this name on.
  func path(to name: String) -> [String] { Array(open.drop { $0 != name }) }

  /// The innermost scope that has a stream of this name.
  func home(ofStream name: String) -> Scope? {
    var scope: Scope? = self
    while let current = scope {
      if current.model.streams[name] != nil { return current }
      scope = current.outer
    }
    return nil
  }

  func declaration(ofInput name: String) -> InputDeclaration? {
    var scope: Scope? = self
    while let current = scope {
      if let input = current.model.inputs[name] { return input }
      scope = current.outer
    }
    return nil
  }

  var streamNames: [String] { model.streams.names + (outer?.streamNames ?? []) }
  var inputNames: [String] { model.inputs.names + (outer?.inputNames ?? []) }
}

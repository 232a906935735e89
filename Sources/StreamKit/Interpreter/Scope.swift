internal import CEL
internal import StreamCore

/// The names that can be seen from one model: its own, then those of the model around it.
final class Scope {
  let model: StreamModel
  /// The document that contains the model.
  let document: JSONDocument?
  /// The identity of the file that contains the model.
  let identity: String?
  let outer: Scope?
  /// Location of the model in its file.
  let pointer: JSONPointer
  /// Location of the reference to its file, relative to the main file; empty for the main file.
  let origin: JSONPointer
  /// The variables captured from the enclosing operators, outermost first.
  let captured: [Variable]
  /// Number of enclosing operators that start streams for their values.
  let frameDepth: Int

  /// The types that declarations can name.
  let types: TypeTable

  /// Streams that are compiled already.
  var compiled: [String: CompiledStream] = [:]
  /// Streams being compiled, outermost first.
  var open: [String] = []
  /// Sources that replace named streams in a test.
  var replacements: [String: Source] = [:]
  /// The parameters that can be seen here.
  var parameters: ParameterTable
  /// The notes about the references that lead here to a definition or to another file, innermost first. A place is looked
  /// up only for a message.
  var references: [() -> String]
  /// The streams that feed the inputs of another file, by the input's name.
  var bindings: [String: InputBinding] = [:]
  /// The partition whose keys have executions of their own here; nil outside partitions.
  let part: PartitionScope?

  init(
    _ model: StreamModel, document: JSONDocument?, identity: String?, outer: Scope?, pointer: JSONPointer,
    origin: JSONPointer? = nil, capturing: [Variable]? = nil, part: PartitionScope? = nil, within caller: Scope? = nil
  ) {
    parameters = outer?.parameters ?? ParameterTable()
    references = outer?.references ?? []
    self.part = part ?? outer?.part
    if let caller {
      // The frames are those of the place of use, whose variables cannot be seen from here.
      captured = caller.captured.map { Variable("", $0.type, isDistinct: $0.isDistinct) }
      frameDepth = caller.frameDepth
    } else {
      captured = (outer?.captured ?? []) + (capturing ?? [])
      frameDepth = (outer?.frameDepth ?? 0) + (capturing == nil ? 0 : 1)
    }
    types =
      model.types.isEmpty ? outer?.types ?? TypeTable([:], around: nil) : TypeTable(model.types, around: outer?.types)
    self.model = model
    self.document = document
    self.identity = identity
    self.outer = outer
    self.pointer = pointer
    self.origin = (origin ?? outer?.origin ?? JSONPointer()).shared
  }

  /// The seed of the file, if the file that is run has none.
  var seed: Int? { model.seed ?? outer?.seed }

  func isOpen(_ name: String) -> Bool { open.contains(name) }

  /// Returns the streams being compiled, from the one with this name on.
  func path(to name: String) -> [String] { Array(open.drop { $0 != name }) }

  /// The innermost scope that has a stream of this name.
  func declaringScope(ofStream name: String) -> Scope? {
    var scope: Scope? = self
    while let current = scope {
      if current.model.streams[name] != nil { return current }
      scope = current.outer
    }
    return nil
  }

  /// The innermost scope that has a definition of this name.
  func declaringScope(ofDefinition name: String) -> Scope? {
    var scope: Scope? = self
    while let current = scope {
      if current.model.definitions[name] != nil { return current }
      scope = current.outer
    }
    return nil
  }

  var definitionNames: [String] { model.definitions.names + (outer?.definitionNames ?? []) }

  func declaration(ofInput name: String) -> InputDeclaration? {
    var scope: Scope? = self
    while let current = scope {
      if let input = current.model.inputs[name] { return input }
      scope = current.outer
    }
    return nil
  }

  /// The binding of an input that the host does not feed; nil if it does.
  func binding(ofInput name: String) -> InputBinding? {
    var scope: Scope? = self
    while let current = scope {
      if let bound = current.bindings[name] { return bound }
      if current.model.inputs[name] != nil { return nil }
      scope = current.outer
    }
    return nil
  }

  /// Whether an input of this file or of those around it has a clock.
  func hasClock(_ time: InputDeclaration.EventTime) -> Bool {
    model.inputs.contains { $1.time == time } || outer?.hasClock(time) ?? false
  }

  var streamNames: [String] { model.streams.names + (outer?.streamNames ?? []) }
  var inputNames: [String] { model.inputs.names + (outer?.inputNames ?? []) }
}

/// The stream that feeds an input of a file instead of the host.
struct InputBinding {
  let stream: CompiledStream
  /// Returns the late values of the input of the other file that feeds this one; nil if that has none.
  let lateValues: (() -> CompiledStream)?
}

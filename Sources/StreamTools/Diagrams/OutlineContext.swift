internal import StreamCore
internal import StreamKit

/// The host, the files and the declarations for creating outlines.
struct OutlineContext {
  /// Determines which streams the host's operators use.
  let host: StreamHost
  /// Loads the files that `apply` names; nil where files are not looked into.
  var loader: (any StreamLoader)?
  /// The files that sources name; nil where they are not looked into.
  var files: OutlineFiles?
  /// The file that is outlined: the base of the paths in it.
  var base: String?
  /// The definitions of the file.
  var definitions: Members<OperatorDefinitionPart>
  /// The values of the parameters.
  var parameters: ParameterValues
  /// The definitions and files that are being applied, outermost first.
  var applied: [String] = []
  /// Counts the text that references repeat, as it is counted when the stream is compiled.
  let expansion = ExpansionBudget()

  init(_ model: StreamModel, options: CompileOptions) {
    host = options.host
    definitions = model.definitions
    parameters = ParameterValues(model, options: options)
  }

  /// The context of a file that a source names.
  func entering(_ file: StreamFile) -> OutlineContext {
    var copy = self
    copy.base = file.identity
    copy.definitions = file.model.definitions
    copy.parameters = ParameterValues(file.model)
    return copy
  }
}

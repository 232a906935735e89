internal import StreamCore
internal import StreamKit

/// The names that can be seen from one model of an export: its own, then those of the model around it.
final class ExportScope {
  let model: StreamModel
  /// The file that contains the model.
  let file: StreamFile?
  let outer: ExportScope?
  /// Location of the model in its file.
  let pointer: JSONPointer
  /// The variables for the value that the model is started for.
  let captured: [ExportVariable]
  /// Streams that are written already.
  var written: [String: Fragment] = [:]

  init(
    _ model: StreamModel, file: StreamFile?, outer: ExportScope?, pointer: JSONPointer,
    capturing: [ExportVariable] = []
  ) {
    self.model = model
    self.file = file
    self.outer = outer
    self.pointer = pointer
    captured = (outer?.captured ?? []) + capturing
  }

  /// The innermost scope that has a stream of this name.
  func home(ofStream name: String) -> ExportScope? {
    model.streams[name] != nil ? self : outer?.home(ofStream: name)
  }
}

public import StreamCore

/// Converts files of the Combine playground, of any generation, to format 1.
///
/// The playground stored its streams under keys of UserDefaults, as arrays, without a version number. From its second
/// generation on, an operation did not name the streams it applied to: it used the first default streams. The importer
/// adds these streams to the file by name; if they are not available, they become inputs.
public struct PlaygroundImporter: Sendable {
  public init() {}

  /// Whether the value looks like a file of the playground instead of a stream file.
  public static func recognizes(_ value: Value) -> Bool { PlaygroundShape(value).isCertain }

  /// Converts all models in order: a single model, an array of models, or an object of either by UserDefaults keys.
  ///
  /// - Throws: All errors, with pointers into `value`.
  public func read(_ value: Value) throws(Diagnostics) -> [ImportedStream] {
    var reader = PlaygroundReader()
    let models = reader.models(in: value)
    var problems = Diagnostics(reader.diagnostics.all.filter { $0.severity == .error })
    let context = PlaygroundGeneration.shared(by: models.map(\.generations))
    let directory = StreamDirectory(models)
    var imported: [ImportedStream] = []
    // Notes on the whole input are reported with its first stream.
    var general = reader.diagnostics.all.filter { $0.severity != .error }
    for model in models {
      var writer = StreamFileWriter(directory)
      let file = writer.file(of: model)
      problems.append(contentsOf: Diagnostics(writer.diagnostics.all.filter { $0.severity == .error }))
      imported.append(
        ImportedStream(
          name: model.name, model: file,
          notes: general + model.notes + writer.diagnostics.all.filter { $0.severity != .error },
          generation: PlaygroundGeneration.guess(model.generations, context: context).rawValue))
      general = []
    }
    try problems.throwErrors()
    return imported
  }
}

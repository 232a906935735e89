public import StreamCore
internal import StreamKit

/// Reads what the Combine playground stored, whatever its generation, and writes it in format 1.
///
/// The playground kept its streams under keys of UserDefaults, as arrays, without a version number. Since its second
/// generation an operation did not say on which streams it works: it took the first default ones. Here the streams
/// that an operation works on are put into its file and named; where they are not at hand, they become inputs.
public struct PlaygroundImporter: Sendable {
  public init() {}

  /// Whether the value looks like a file of the playground rather than a stream file of ours.
  public static func recognizes(_ value: Value) -> Bool { PlaygroundShape(value).isCertain }

  /// All models found, in order: a single model, an array of models, or an object of either by UserDefaults keys.
  ///
  /// Throws all that is broken or cannot be imported, not only the first; pointers lead into `value`.
  public func read(_ value: Value) throws(Diagnostics) -> [ImportedStream] {
    var reader = PlaygroundReader()
    let models = reader.models(in: value)
    var problems = Diagnostics(reader.diagnostics.all.filter { $0.severity == .error })
    let context = PlaygroundGeneration.shared(by: models.map(\.generations))
    let directory = StreamDirectory(models)
    var imported: [ImportedStream] = []
    // What concerns the whole of the input is said with its first stream.
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

public import StreamCore
public import StreamEngine
internal import Synchronization

/// A stream compiled together with the files it refers to: the old or the new version in a swap.
///
/// ```swift
/// let old = try StreamVersion(RunningTotal.rules(factor: 1))
/// let execution = Execution(old.pipeline)
/// ```
public struct StreamVersion: Sendable {
  public private(set) var pipeline: Pipeline
  let files: VersionFiles

  /// Compiles a model.
  ///
  /// - Throws: All errors in the model.
  public init(_ model: StreamModel, _ options: CompileOptions = CompileOptions()) throws(Diagnostics) {
    let loader = options.loader.map(MentionRecorder.init)
    pipeline = try model.compile(options.loading(with: loader))
    files = VersionFiles(main: model.json, base: nil, loader)
  }

  /// Compiles a loaded stream file; its paths are relative to the file.
  ///
  /// - Throws: All errors in the file, and in the files it refers to.
  public init(_ stream: StreamFile, _ options: CompileOptions = CompileOptions()) throws(Diagnostics) {
    let loader = options.loader.map(MentionRecorder.init)
    pipeline = try stream.compile(options.loading(with: loader))
    files = VersionFiles(main: stream.document.value, base: stream.identity, loader)
  }

  /// Returns the version with other initial values of the inputs, whose number and order stay the same.
  package func declaring(_ inputs: [Pipeline.Input]) -> StreamVersion {
    var version = self
    version.pipeline = pipeline.declaring(inputs)
    return version
  }
}

/// The files of a stream.
struct VersionFiles: Sendable {
  /// The text of each, by identity; that of the first file under `main`.
  let documents: [String: Value]
  /// The identities of the files that files name.
  private let mentions: [MentionRecorder.Mention: String]
  /// The identity of the first file.
  private let base: String?
  /// The names of files for people, by identity.
  let names: [String: String]

  /// A constant that replaces the identity of the main file, so that its path is irrelevant.
  static let main = ""

  fileprivate init(main: Value, base: String?, _ loader: MentionRecorder?) {
    let found = loader?.found ?? MentionRecorder.Found()
    mentions = found.mentions
    self.base = base
    documents = found.documents.mapValues(\.value).merging([Self.main: main]) { $1 }
    names = found.documents.mapValues(\.file)
  }

  /// A location in one of the files.
  struct Place {
    let file: String
    let pointer: JSONPointer
  }

  /// The file that a place, as seen from the first file, is in, and the place there.
  func place(_ pointer: JSONPointer) -> Place { path(to: pointer).place }

  /// Returns the place of a part, and the references that lead there: to files, and to definitions.
  func path(to pointer: JSONPointer) -> (references: [Place], place: Place) {
    var references: [Place] = []
    var place = Place(file: Self.main, pointer: pointer)
    // NB: files and definitions do not name each other in circles, and each reference takes at least one step.
    while let (reference, next) = reference(on: place) {
      references.append(reference)
      place = next
    }
    return (references, place)
  }

  /// Returns the first reference on the path to a location, and the location behind it.
  private func reference(on place: Place) -> (reference: Place, place: Place)? {
    guard var value = documents[place.file] else { return nil }
    let tokens = place.pointer.tokens
    for (count, token) in tokens.enumerated() {
      guard let inner = value[JSONPointer([token])] else { return nil }
      value = inner
      guard case .string(let text) = inner, count + 1 < tokens.count else { continue }
      let isDefinition = token == "definition" && count > 0 && tokens[count - 1] == Operator.Custom.applyName
      let file =
        isDefinition
        ? place.file
        : mentions[MentionRecorder.Mention(path: text, base: place.file == Self.main ? base : place.file)]
      return file.map { file in
        (
          Place(file: place.file, pointer: JSONPointer(Array(tokens[...count]))),
          Place(file: file, pointer: JSONPointer(Array(tokens[(count + 1)...])))
        )
      }
    }
    return nil
  }
}

/// Records the files that are loaded, and their contents.
private final class MentionRecorder: StreamLoader {
  struct Mention: Hashable, Sendable {
    let path: String
    let base: String?
  }

  struct Found: Sendable {
    var mentions: [Mention: String] = [:]
    var documents: [String: JSONDocument] = [:]
  }

  private let loader: any StreamLoader
  private let state = Mutex(Found())

  init(_ loader: any StreamLoader) { self.loader = loader }

  var found: Found { state.withLock { $0 } }

  func load(_ path: String, relativeTo base: String?) throws(Diagnostics) -> StreamFile {
    let stream = try loader.load(path, relativeTo: base)
    state.withLock { state in
      state.mentions[Mention(path: path, base: base)] = stream.identity
      state.documents[stream.identity] = stream.document
    }
    return stream
  }
}

extension CompileOptions {
  fileprivate func loading(with loader: MentionRecorder?) -> CompileOptions {
    var options = self
    options.loader = loader
    return options
  }
}

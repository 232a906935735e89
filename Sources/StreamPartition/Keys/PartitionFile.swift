internal import CEL
package import StreamCore
package import StreamDriving
internal import StreamEngine
package import StreamFiles
package import StreamKit

/// A stream file whose keys can be divided among machines.
package struct PartitionFile {
  package let stream: StreamFile
  package let partition: StreamModel.Partition
  /// The stages: the operators of each key, then those that see the results of all keys, if there are any.
  package let stages: [StreamVersion]
  let loader: FileLoader
  /// Identifies the meaning of the file and the format of snapshots.
  package let hash: UInt64

  /// The part of the hash that changes with the format of snapshots, and with programs.
  private static let format = "partition 1\n"
  private static let formatOfThen = "then 2\n"

  /// - Parameter arguments: The values of the file's parameters, and the seed.
  /// - Throws: All errors in the file; `cannotPartition` for a file without a partition.
  package init(
    _ path: String, _ loader: FileLoader, _ arguments: CompileArguments = CompileArguments()
  ) throws(Diagnostics) {
    let stream = try loader.load(path)
    let options = arguments.options(for: stream.model, loader, host: StreamHost(hooks: .any))
    _ = try stream.compile(options)
    guard let partition = stream.model.partition else {
      throw Diagnostics([
        stream.document.locate(
          Diagnostic(
            .cannotPartition, "the stream has no key by which it could be divided among machines",
            help: "add \"partition\": {\"key\": \"value.user\", \"time\": \"value.time\"}"))
      ])
    }
    try Self.checkData(of: loader)
    self.stream = stream
    self.partition = partition
    self.loader = loader
    var format = Self.format
    var part = options
    if partition.hasThen { part.partitionPart = .keys }
    let keyed = try StreamVersion(Self.first(stream), part)
    if partition.hasThen {
      guard keyed.pipeline.inputs.contains(where: { $0.time != nil }) else {
        throw Diagnostics([stream.document.locate(Self.withoutOrder)])
      }
      format += Self.formatOfThen
      part.partitionPart = .then
      stages = [keyed, try Self.last(partition, of: stream.model, part)]
    } else {
      stages = [keyed]
    }
    hash = Self.hash(format + stream.model.behaviorID + Self.text(of: options, for: stream.model))
  }

  /// The error in a file whose `then` would see results in the order in which machines happen to publish them.
  private static var withoutOrder: Diagnostic {
    Diagnostic(
      .cannotPartition,
      "'then' needs an order of the results of all keys, and without 'time' several machines have none",
      at: JSONPointer(["partition", "then"]), part: .key,
      help: "add \"time\" to 'partition', such as \"value.time\", or run the file on one machine with 'streamrun run'")
  }

  /// The stage of the keys, whose paths are relative to the file.
  private static func first(_ stream: StreamFile) throws(Diagnostics) -> StreamFile {
    var model = stream.model
    model.partition?.then = nil
    let document = try JSONDocument(reading: JSONWriter.compact(model.json), file: stream.document.file)
    return StreamFile(model, document, identity: stream.identity)
  }

  /// The paths of the data files that each key reads.
  var dataPaths: [String] { loader.dataPaths }

  /// Refuses data files that this machine does not have, before the first record.
  private static func checkData(of loader: FileLoader) throws(Diagnostics) {
    for path in loader.dataPaths where FileStamp(path) == nil {
      throw Diagnostics([
        Diagnostic(
          .cannotRead,
          "the file \(JSONWriter.compact(.string(path))) is missing on this machine, and each key reads it",
          help: "copy it to this place beside the stream file, on every machine that runs keys")
      ])
    }
  }

  /// The stage after the keys: all results are values of one key.
  private static func last(
    _ partition: StreamModel.Partition, of stream: StreamModel, _ options: CompileOptions
  ) throws(Diagnostics) -> StreamVersion {
    var model = StreamModel(
      inputs: ["results": InputDeclaration()], source: .input(.init(name: "results")),
      partition: StreamModel.Partition(key: "0", time: "0", then: partition.then), types: stream.types,
      seed: stream.seed)
    (model.parameters, model.definitions) = (stream.parameters, stream.definitions)
    return try StreamVersion(model, options)
  }

  /// The part of the hash that changes with the arguments; empty for those that change nothing.
  private static func text(of options: CompileOptions, for model: StreamModel) -> String {
    var members = model.values(differingIn: options.arguments)
    if let seed = options.seed, seed != model.seed { members["seed"] = .int(Int64(seed)) }
    return members.isEmpty ? "" : JSONWriter.compact(.map(ValueMap(sorting: members)))
  }

  private static func hash(_ text: String) -> UInt64 {
    let digits = JSONDocument.id(of: Array(text.utf8)).split(separator: ":").last?.prefix(16) ?? ""
    return UInt64(digits, radix: 16) ?? 0
  }

  /// The number of the input of a stage that is divided.
  func input(ofStage stage: Int) -> Int {
    let name = stage == 0 ? Self.inputName(stream.model) : "results"
    return stages[stage].pipeline.inputs.firstIndex { $0.name == name } ?? 0
  }

  /// The declared type of the values that are divided.
  var inputType: CELType { stages[0].pipeline.inputs[input(ofStage: 0)].type }

  /// When the values that are divided happened; nil if the file declares no clock.
  var clock: InputTime? { stages[0].pipeline.inputs[input(ofStage: 0)].time }

  var inputName: String { Self.inputName(stream.model) }

  private static func inputName(_ model: StreamModel) -> String {
    if case .input(let source) = model.source { source.name } else { "" }
  }

  /// Returns a failure as text for people, with its place in the file.
  func text(of failure: StreamFailure) -> String {
    let diagnostic = FailureExplanation(stream: stream, loader: loader).diagnostic(of: failure)
    return DiagnosticPrinter().text(
      diagnostic, source: diagnostic.location.flatMap { place in loader.sources.first { $0.file == place.file } })
  }
}

extension PartitionFile {
  /// Returns the versions whose states are continued too.
  ///
  /// - Parameters:
  ///   - request: The arguments of the version that runs.
  ///   - set: The values that the parameters had, where they were others.
  package static func former(
    _ paths: [String], _ loader: FileLoader, _ request: CompileRequest, setting set: [NamedArgument]
  ) throws(Diagnostics) -> [PartitionFile] {
    guard !paths.isEmpty || set.isEmpty else {
      throw Diagnostics(
        .invalidArgument, "--restore-set needs --restore-old",
        help: "add --restore-old FILE, which may be the same file")
    }
    var request = request
    request.set = request.set.filter { known in !set.contains { $0.name == known.name } } + set
    // A former version may lack a parameter.
    let arguments = try request.arguments(isShared: true)
    return try paths.map { path throws(Diagnostics) in try PartitionFile(path, loader, arguments) }
  }

  /// Refuses a file that shards cannot run, before a record is fed.
  func requireShards() throws(StageError) {
    guard stages.count > 1 else { return }
    throw .refused("'then' needs the results of all shards; run the file on one machine, or on Flink")
  }

  /// Returns how the file is divided, for people.
  package func summary(usesRows: Bool) -> String {
    var text = "divided by \(partition.key.text)"
    if let time = clock {
      text += ", in the time \(time.expression)"
      if time.lateness > 0 { text += " with a lateness of \(JSONWriter.compact(.seconds(time.lateness))) s" }
    }
    text += usesRows ? "; each key is a row of one table" : "; each key has an execution of its own"
    if stages.count > 1 { text += "; 'then' follows with the results of all keys, by time and key" }
    return text
  }
}

internal import CEL
public import StreamCore
public import StreamRuntime

/// A compiled stream and what the host gives it: ready to be subscribed to, any number of times.
///
/// Immutable. Publishers and sequences are made of it; each subscription is an execution of its own.
public struct LiveStream: Sendable {
  public let pipeline: Pipeline
  /// What the host does for the stream.
  public let services: HostServices
  let feeds: InputFeeds

  /// Compiles a model.
  ///
  /// - Parameters:
  ///   - model: the model.
  ///   - inputs: what feeds the model's inputs, by name. An input that is not named keeps its initial value.
  ///   - services: the functions and hooks that the model may name.
  ///   - options: how the model is compiled; its host is given what `services` has.
  /// - Throws: all that is wrong with the model, and names in `inputs` that the model does not have (`S301`).
  public init(
    _ model: StreamModel, inputs: [String: any StreamFeed] = [:], services: HostServices = HostServices(),
    options: CompileOptions = CompileOptions()
  ) throws(Diagnostics) {
    var options = options
    services.announce(to: &options.host)
    try self.init(try model.compile(options), inputs: inputs, services: services)
  }

  /// A stream that has been compiled already, by a host that has what `services` has.
  ///
  /// - Throws: names in `inputs` that the stream does not have (`S301`).
  public init(
    _ pipeline: Pipeline, inputs: [String: any StreamFeed] = [:], services: HostServices = HostServices()
  ) throws(Diagnostics) {
    let unknown = inputs.keys.filter { pipeline.input(named: $0) == nil }
    guard unknown.isEmpty else {
      throw Diagnostics(unknown.sorted().map(pipeline.unknownInput))
    }
    self.pipeline = pipeline
    self.services = services
    feeds = InputFeeds(pipeline.inputs.map { inputs[$0.name] })
  }
}

/// What feeds the inputs of a stream, by number; nothing feeds those that are nil. One feed, which most have, takes no
/// memory of its own.
enum InputFeeds: Sendable {
  case first(any StreamFeed)
  case all([(any StreamFeed)?])

  init(_ feeds: [(any StreamFeed)?]) {
    if feeds.count == 1, let feed = feeds[0] { self = .first(feed) } else { self = .all(feeds) }
  }

  func forEach(_ body: (Int, any StreamFeed) -> Void) {
    switch self {
    case .first(let feed): body(0, feed)
    case .all(let feeds): for (number, feed) in feeds.enumerated() { if let feed { body(number, feed) } }
    }
  }
}

extension StreamFailure {
  /// What a subscriber is told of a stream that cannot be compiled: the first thing that is wrong, the others as its
  /// causes.
  public init(_ diagnostics: Diagnostics) {
    var failure: StreamFailure?
    for diagnostic in diagnostics.all.reversed() {
      failure = StreamFailure(diagnostic.code, diagnostic.message, pointer: diagnostic.pointer, cause: failure)
    }
    self = failure ?? StreamFailure(.streamFailed, "the stream cannot be compiled")
  }
}

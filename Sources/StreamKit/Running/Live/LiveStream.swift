internal import CEL
public import StreamCore
public import StreamEngine

/// A compiled stream with its inputs and services, ready for any number of subscriptions.
///
/// ```swift
/// let text = StreamInput("Ada")
/// let live = try LiveStream(model, inputs: ["text": text])
/// var texts = live.values(of: String.self).makeAsyncIterator()
/// ```
///
/// Immutable. Each publisher or sequence created from it starts its own execution on subscription.
public struct LiveStream: Sendable {
  public let pipeline: Pipeline
  /// The services the host provides to the stream.
  public let services: HostServices
  /// The state that is saved and restored; nil, the default, for streams that are not saved. A stream with a state
  /// has one subscription at a time.
  public var state: StreamState?
  let feeds: InputFeeds
  /// The output whose values are received; nil for all values.
  private(set) var output: String?

  /// Compiles a model.
  ///
  /// - Parameters:
  ///   - model: The model.
  ///   - inputs: The feeds of the inputs, by name. An input without a feed keeps its initial value; it must have one.
  ///   - services: The functions and hooks that the model can use.
  ///   - options: Compile options; `services` are added to the host.
  /// - Throws: All errors in the model, names in `inputs` that it does not have (`S301`), inputs without a feed and an
  ///   initial value (`S303`), and feeds whose values no input of that type takes (`S304`).
  public init(
    _ model: StreamModel, inputs: [String: any StreamFeed] = [:], services: HostServices = HostServices(),
    options: CompileOptions = CompileOptions()
  ) throws(Diagnostics) {
    try self.init(try model.compile(options.adding(services)), inputs: inputs, services: services)
  }

  /// Wraps a compiled stream whose host provides what `services` contains.
  ///
  /// - Throws: Names in `inputs` that the stream does not have (`S301`), inputs without a feed and an initial value
  ///   (`S303`), and feeds whose values no input of that type takes (`S304`).
  public init(
    _ pipeline: Pipeline, inputs: [String: any StreamFeed] = [:], services: HostServices = HostServices()
  ) throws(Diagnostics) {
    try pipeline.check(inputs)
    self.pipeline = pipeline
    self.services = services
    feeds = InputFeeds(pipeline.inputs.map { inputs[$0.name] })
  }

  /// Returns the stream with the values of one output only; all outputs run nevertheless.
  ///
  /// - Parameter output: The name; nil for all values.
  /// - Throws: A name that no output has (`S109`).
  package func choosing(_ output: String?) throws(StreamFailure) -> LiveStream {
    guard let output else { return self }
    guard pipeline.outputs.contains(output) else { throw StreamFailure(unknownOutput: output, among: pipeline.outputs) }
    var copy = self
    copy.output = output
    return copy
  }
}

/// The feeds of a stream's inputs, by number; nil for an input without a feed. A single feed, the common case, needs no
/// allocation.
enum InputFeeds: Sendable {
  case first(any StreamFeed)
  case all([(any StreamFeed)?])

  init(_ feeds: [(any StreamFeed)?]) {
    if feeds.count == 1, let feed = feeds[0] { self = .first(feed) } else { self = .all(feeds) }
  }

  /// Whether an input with a feed satisfies a condition.
  func contains(where isWanted: (Int) -> Bool) -> Bool {
    switch self {
    case .first: isWanted(0)
    case .all(let feeds): feeds.indices.contains { feeds[$0] != nil && isWanted($0) }
    }
  }

  func forEach(_ body: (Int, any StreamFeed) -> Void) {
    switch self {
    case .first(let feed): body(0, feed)
    case .all(let feeds): for (number, feed) in feeds.enumerated() { if let feed { body(number, feed) } }
    }
  }
}

extension StreamFailure {
  init(unknownOutput name: String, among names: [String]) {
    let help = nearestName(to: name, among: names).map { "did you mean '\($0)'?" }
    self.init(.unknownStream, "the stream has no output '\(name)'", help: help)
  }

  /// Creates the failure of a stream that cannot be compiled: the first error, with the others as its causes.
  public init(_ diagnostics: Diagnostics) {
    var failure: StreamFailure?
    for diagnostic in diagnostics.all.reversed() {
      failure = StreamFailure(diagnostic.code, diagnostic.message, pointer: diagnostic.pointer, cause: failure)
    }
    self = failure ?? StreamFailure(.streamFailed, "the stream cannot be compiled")
  }
}

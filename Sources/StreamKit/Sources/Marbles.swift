public import StreamCore
internal import StreamEngine

extension Source {
  /// Plays back a marble diagram.
  ///
  /// Times count from each subscription.
  ///
  /// - Memory: the events of the diagram.
  public struct Marbles: SourceDefinition {
    /// The diagram: `-` is a frame, a letter a value, `|` the finish, `#` a failure, `(ab)` and `[ab]` one instant, `
    /// 10ms ` a time, `'text'` a long name, `^` time zero, before which values are lost.
    public var diagram: String
    /// Values of the symbols. A symbol without an entry is a string, its own text.
    public var values: Value?
    /// Length of a frame. A number of seconds greater than 0, up to 86400. Default `0.001`.
    public var frame: Double?

    public init(diagram: String, values: Value? = nil, frame: Double? = nil) {
      self.diagram = diagram
      self.values = values
      self.frame = frame
    }
  }
}

extension Source.Marbles {
  public func validate() throws(Diagnostic) {
    if let frame, frame <= 0 {
      throw Diagnostic(
        .outOfRange, "'frame' is \(frame.shortText); expected more than 0 seconds", at: JSONPointer(["frame"]))
    }
    do throws(Diagnostic) {
      _ = try history()
    } catch {
      throw error.prefixed(by: JSONPointer(["diagram"]))
    }
  }

  func history() throws(Diagnostic) -> History {
    try StreamKit.Marbles(
      diagram, values: Self.symbols(values),
      frame: frame.map(Interval.init(seconds:)) ?? StreamKit.Marbles.defaultFrame
    ).history()
  }

  /// The symbols of an object.
  static func symbols(_ value: Value?) -> [String: Value] {
    guard case .map(let map)? = value else { return [:] }
    return Dictionary(map.pairs.compactMap { key, value in key.text.map { ($0, value) } }) { first, _ in first }
  }

  package func makeSource(_ context: inout SourceContext) throws(Diagnostics) -> CompiledStream {
    do throws(Diagnostic) {
      return context.machine(PlaybackMachine(try history()), name: "marbles")
    } catch {
      throw Diagnostics([error.prefixed(by: JSONPointer(["diagram"]))])
    }
  }

  public static let spec = OperatorSpec(
    "marbles", "Plays back a marble diagram.",
    memory: .constant("the events of the diagram"),
    fields: [
      .required(
        "diagram", .string,
        "The diagram: `-` is a frame, a letter a value, `|` the finish, `#` a failure, `(ab)` and `[ab]` one "
          + "instant, ` 10ms ` a time, `'text'` a long name, `^` time zero, before which values are lost."),
      .optional("values", .object, "Values of the symbols. A symbol without an entry is a string, its own text."),
      .optional(
        "frame", .seconds(0...86_400), "Length of a frame.", default: .of(StreamKit.Marbles.defaultFrame.seconds)),
    ],
    rules: [.above("frame", 0)],
    examples: [
      .publishes("two values", #"{"marbles": {"diagram": "-a-b|"}}"#, out: "-a-b|"),
      .publishes(
        "frames of two milliseconds", #"{"marbles": {"diagram": "-a|", "values": {"a": 1}, "frame": 0.002}}"#,
        out: "--a-|", values: ["a": 1]),
      .publishes(
        "values before the subscription are lost", #"{"marbles": {"diagram": "ab^-c 1.5ms |"}}"#, out: "--c 1.5ms |"),
      .rejects(
        "an invalid symbol", #"{"marbles": {"diagram": "-a-!"}}"#, .invalidMarbles,
        at: "/marbles/diagram"),
      .rejects(
        "an unclosed group", #"{"marbles": {"diagram": "-(ab"}}"#, .invalidMarbles, at: "/marbles/diagram"),
    ])
}

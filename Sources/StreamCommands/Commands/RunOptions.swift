internal import ArgumentParser

/// What `streamrun run` understands.
struct RunOptions: ParsableArguments {
  @Argument(help: "The stream file; - is standard input.", completion: .file(extensions: ["json"]))
  var file: String

  @Option(
    help: ArgumentHelp(
      "Feeds an input from a file of one JSON value a line; - is standard input.", valueName: "name=path"))
  var input: [NamedArgument] = []

  @Option(help: ArgumentHelp("Gives an input its initial value.", valueName: "name=json"))
  var set: [NamedArgument] = []

  @Option(help: "How values are printed: ndjson, json, text, csv or marbles.")
  var format = ValueFormat.ndjson

  @Flag(help: "Tells the time of each value: {\"at\": seconds since the start, \"value\": …}.")
  var timestamps = false

  @Flag(help: "Virtual time: timers are not waited for. The calendar begins in 1970.")
  var virtual = false

  @Option(
    help: ArgumentHelp(
      "The data's own clock: an expression over 'value' that gives a timestamp, or milliseconds since 1970.",
      valueName: "expression"))
  var eventTime: String?

  @Option(help: ArgumentHelp("How much faster time goes, such as 10x.", valueName: "factor"))
  var speed: Speed?

  @Option(help: ArgumentHelp("Stops after so many values.", valueName: "count"))
  var limit: Int?

  @Option(name: .customLong("for"), help: ArgumentHelp("Stops after so much time of the stream.", valueName: "seconds"))
  var seconds: Double?

  @Flag(help: "Leaves out lines that are no JSON, and values that an operator fails at.")
  var skipErrors = false

  @Option(
    help: ArgumentHelp(
      "How many threads are used: 1, or 2 (the second one reads ahead). Default 2 where that pays.",
      valueName: "count"))
  var threads: Int?

  @Flag(
    help: """
      Watches the file, and those that it names: when they change, the running stream becomes the new one and keeps \
      what still fits. Starts anew after the end.
      """)
  var watch = false

  @OptionGroup var memory: MemoryOptions
  @OptionGroup var values: ValueOptions

  func validate() throws {
    if watch, file == StandardInput.argument {
      throw ValidationError("--watch needs a file: standard input cannot change; give the stream file by its path")
    }
    if watch, format == .marbles {
      throw ValidationError(
        "--watch and --format marbles exclude each other: a diagram is of one stream from its start")
    }
    if let limit, limit < 0 { throw ValidationError("--limit is \(limit); expected 0 or more") }
    if let seconds, !(seconds >= 0) { throw ValidationError("--for is \(seconds); expected 0 seconds or more") }
    if let speed, !(speed.factor > 0) {
      throw ValidationError("--speed is \(speed.factor); expected a factor above 0, such as 10x or 0.5")
    }
    if let threads, !(1...2).contains(threads) {
      throw ValidationError("--threads is \(threads); expected 1 or 2")
    }
    if virtual, eventTime != nil {
      throw ValidationError("--virtual and --event-time exclude each other: event time does not wait either")
    }
    if virtual, speed != nil { throw ValidationError("--virtual and --speed exclude each other: virtual time jumps") }
    if format == .marbles, !virtual, eventTime == nil, limit == nil, seconds == nil {
      throw ValidationError(
        "--format marbles is drawn at the end of a run: add --virtual, --event-time, --limit or --for")
    }
  }

  var request: RunRequest {
    var request = RunRequest(file: file)
    (request.input, request.set) = (input, set)
    (request.format, request.timestamps) = (format, timestamps)
    (request.virtual, request.eventTime, request.speed) = (virtual, eventTime, speed)
    (request.limit, request.seconds) = (limit, seconds)
    (request.skipErrors, request.threads, request.watch) = (skipErrors, threads, watch)
    (request.memory, request.longestValue) = (memory.memory, values.maxValue)
    return request
  }
}

/// How much faster time goes: `10x`, `0.5x`, or the number alone.
struct Speed: ExpressibleByArgument, Equatable, Sendable {
  let factor: Double

  init?(argument: String) {
    let number = argument.hasSuffix("x") ? String(argument.dropLast()) : argument
    guard let factor = Double(number), factor.isFinite else { return nil }
    self.factor = factor
  }
}

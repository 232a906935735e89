internal import StreamRuntime

/// What `streamrun run` is to do.
struct RunRequest: Equatable {
  /// The stream file; `-` is standard input.
  let file: String
  /// The files that feed inputs.
  var input: [NamedArgument] = []
  /// The initial values that inputs are given.
  var set: [NamedArgument] = []
  var format = ValueFormat.ndjson
  /// Whether the time of each value is told.
  var timestamps = false
  /// Whether timers are not waited for.
  var virtual = false
  /// The expression that gives the data's own time.
  var eventTime: String?
  /// How much faster time goes.
  var speed: Speed?
  /// How many values are printed at most, 0 or more.
  var limit: Int?
  /// How much time of the stream passes at most, in seconds, 0 or more.
  var seconds: Double?
  /// Whether lines that are no JSON, and values that an operator fails at, are left out.
  var skipErrors = false
  /// How many threads are used at most, 1 or 2; nil for as many as are of use.
  var threads: Int?
  /// The most memory that the program may take.
  var memory = MemoryOptions.standardMemory
  /// The longest text of a value that is printed.
  var longestValue = ValueOptions.standardLength
  /// Whether the files are watched.
  var watch = false

  init(file: String) { self.file = file }

  /// What a command line of one argument asks for that names a file; nil for all others, which the argument parser reads.
  ///
  /// NB: most command lines are such, and reading them so takes half the time to the first value away: the parser looks
  /// through all that the program could understand.
  init?(plain arguments: [String]) {
    guard arguments.count == 1, let file = arguments.first, !file.isEmpty, !file.utf8.starts(with: "-".utf8),
      !Streamrun.subcommandNames.contains(file)
    else { return nil }
    self.init(file: file)
  }

  /// The latest time of the stream that is run.
  var until: StreamTime? { seconds.map(StreamTime.init(seconds:)) }
}

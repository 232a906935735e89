internal import StreamRuntime

/// The parameters of `streamrun run`.
struct RunRequest: Equatable {
  /// The stream file; `-` is standard input.
  let file: String
  /// The files that feed inputs.
  var input: [NamedArgument] = []
  /// The initial values of inputs.
  var set: [NamedArgument] = []
  var format = ValueFormat.ndjson
  /// Whether to print the time of each value.
  var timestamps = false
  /// Whether timers are not waited for.
  var virtual = false
  /// The expression for event time.
  var eventTime: String?
  /// The speed of time.
  var speed: Speed?
  /// Maximum number of values to print, 0 or more.
  var limit: Int?
  /// Maximum stream time in seconds, 0 or more.
  var seconds: Double?
  /// Whether to skip lines that are not JSON, and values that make an operator fail.
  var skipErrors = false
  /// Maximum number of threads, 1 or 2; nil for the best number.
  var threads: Int?
  /// The most memory that the program may take.
  var memory = MemoryOptions.standardMemory
  /// The longest text of a value that is printed.
  var longestValue = ValueOptions.standardLength
  /// Whether the files are watched.
  var watch = false

  init(file: String) { self.file = file }

  /// Creates the request for a command line with a single argument, the path of a file; nil for other command lines,
  /// which the argument parser reads.
  ///
  /// NB: Most command lines have this form, and skipping the argument parser halves the time to the first value.
  init?(plain arguments: [String]) {
    guard arguments.count == 1, let file = arguments.first, !file.isEmpty, !file.utf8.starts(with: "-".utf8),
      !Streamrun.subcommandNames.contains(file)
    else { return nil }
    self.init(file: file)
  }

  /// The latest time of the stream that is run.
  var until: StreamTime? { seconds.map(StreamTime.init(seconds:)) }
}

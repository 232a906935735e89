package import StreamEngine
package import StreamKit

/// The parameters of `streamrun run`.
package struct RunRequest: Equatable {
  /// The stream file; `-` is standard input.
  package let file: String
  /// The files that feed inputs.
  package var input: [NamedArgument] = []
  /// The format of these files.
  package var inputFormat = InputFormat()
  /// Whether these files grow, and are read on and on.
  package var follows = false
  /// The values of parameters, the initial values of inputs, and the seed.
  package var compile = CompileRequest()
  /// The format of the outputs; nil for the format of each file's extension.
  package var format: ValueFormat?
  /// The destinations of the outputs.
  package var output = OutputRequest()
  /// Whether to print the time of each value.
  package var timestamps = false
  /// Whether timers are not waited for.
  package var virtual = false
  /// The clock of the data, as the arguments give it.
  package var eventTime = EventTimeRequest()
  /// The answers to the calls of the stream.
  package var calls = CallRequest()
  /// The speed of time.
  package var speed: Speed?
  /// Maximum number of values to print, 0 or more.
  package var limit: Int?
  /// Maximum stream time in seconds, 0 or more.
  package var seconds: Double?
  /// Whether to skip lines that are not JSON, and values that make an operator fail.
  package var skipErrors = false
  /// Maximum number of threads, 1 or 2; nil for the best number.
  package var threads: Int?
  /// The most memory that the program may take.
  package var memory = ByteCount.standardMemoryFromNow
  /// The most processor time that the stream may take for one event from outside; nil for no limit.
  package var timePerValue: Interval?
  /// The longest text of a value that is printed.
  package var longestValue = ByteCount.standardValue
  /// The place of the state; nil if none is kept.
  package var state: StateRequest?
  package var observing = ObservationRequest()
  /// The file for a recording of the run.
  package var recording: String?
  /// Whether the files are watched.
  package var watch = false

  package init(file: String) { self.file = file }

  /// The latest time of the stream that is run.
  package var until: StreamTime? { seconds.map(StreamTime.init(seconds:)) }
}

public import ArgumentParser
internal import StreamDriving
public import StreamEngine
package import StreamKit

/// The options that say when values happened, instead of the stream file.
package struct EventTimeOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Event time: an expression over 'value' that returns a timestamp, or a number of milliseconds since 1970. The "
        + "stream runs by these times, as with \"time\" at its inputs. Example: --event-time value.time",
      valueName: "expression"))
  var eventTime: String?

  @Option(
    help: ArgumentHelp(
      "Unit of event times that are numbers: s, ms, us or ns. Default ms, or what the file says.", valueName: "unit"))
  var unit: Pipeline.Input.TimeUnit?

  @Option(
    help: ArgumentHelp(
      "Seconds by which values may be out of order: they are held that long, and delivered in the order of their times.",
      valueName: "seconds"))
  var lateness: Double?

  @Option(
    help: ArgumentHelp(
      "Effect of values that are later still: apply (at the earliest time that is possible), drop, or output "
        + "(see --late-output).", valueName: "effect"))
  var late: Pipeline.Input.Late?

  @Option(
    help: ArgumentHelp(
      "Seconds by which a value may be ahead of the newest one; a value further ahead is invalid.",
      valueName: "seconds"))
  var maxJump: Double?

  @Option(
    help: ArgumentHelp(
      "Seconds without values after which time passes by the clock of the machine: for live input, whose alerts of "
        + "silence are due before the next value.", valueName: "seconds"))
  var idle: Double?

  package init() {}

  package func validate() throws {
    if let lateness, !(0...InputTime.longestLateness).contains(lateness) {
      throw ValidationError("--lateness is \(lateness); expected 0 to 31536000 seconds")
    }
    for (name, seconds) in [("--max-jump", maxJump), ("--idle", idle)] {
      if let seconds, !(seconds > 0) { throw ValidationError("\(name) is \(seconds); expected seconds above 0") }
    }
  }

  package var request: EventTimeRequest {
    var request = EventTimeRequest(expression: eventTime)
    (request.unit, request.lateness, request.late) = (unit, lateness, late)
    (request.maxJump, request.idle) = (maxJump, idle)
    return request
  }

  /// Whether the arguments say when values happened.
  package var isGiven: Bool { eventTime != nil }
}

extension Pipeline.Input.TimeUnit: ExpressibleByArgument {}
extension Pipeline.Input.Late: ExpressibleByArgument {}

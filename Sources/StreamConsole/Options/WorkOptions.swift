package import ArgumentParser
internal import StreamCore
package import StreamDriving
internal import StreamEngine
package import StreamKit

/// The limits on the work and memory of commands that run streams in virtual time.
package struct WorkOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Maximum number of steps without an event before a run is stopped. A step is a delivery, a timer or a value of a "
        + "batch.", valueName: "steps"))
  package var budget = RunLimits.defaultBudget

  @OptionGroup package var memory: MemoryOptions

  package init() {}

  package func validate() throws {
    if budget < 1 { throw ValidationError("--budget is \(budget); expected 1 step or more") }
  }

  package var limit: RunLimits { memory.limit(budget: budget) }
}

/// The limit on the memory of commands that run streams.
package struct MemoryOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp("Maximum memory of the program; the run fails beyond it.", valueName: "size"))
  package var memory = ByteCount.standardMemory

  package init() {}

  /// Returns a limit that also ends the run when the program is asked to stop.
  package func limit(budget: Int) -> RunLimits { .command(budget: budget, memory: memory) }
}

/// The limit on the length of printed values.
package struct ValueOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp("Maximum length of a printed value; a longer one is an error.", valueName: "size"))
  package var maxValue = ByteCount.standardValue

  package init() {}
}

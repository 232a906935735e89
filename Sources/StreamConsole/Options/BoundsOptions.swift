package import ArgumentParser
package import StreamDriving

/// The bounds of a stream that is not trusted, or must not hold up a service. `MemoryOptions` has its memory.
package struct BoundsOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Maximum processor time for one event from outside, such as 10ms, 500us or 1s; the run fails beyond it, and names "
        + "the operator that works longest.", valueName: "time"))
  package var timePerValue: WorkTime?

  @OptionGroup package var sandboxing: SandboxOptions

  package init() {}
}

/// The option for streams that may refer to no files.
package struct SandboxOptions: ParsableArguments {
  @Flag(
    help: """
      Lets the stream refer to no file but those that the command line names, such as with --allow-read rates.csv. The stream starts no program and asks no address in any case, but those of this command line.
      """)
  package var sandbox = false

  package init() {}
}

extension WorkTime: ExpressibleByArgument {}

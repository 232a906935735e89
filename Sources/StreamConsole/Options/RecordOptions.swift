package import ArgumentParser

/// The options of commands that record a run.
package struct RecordOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Writes everything that comes from outside to this file, from which 'streamrun replay' repeats the run.",
      valueName: "file"), completion: .file(extensions: ["ndjson"]))
  package var record: String?

  package init() {}
}

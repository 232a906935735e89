internal import ArgumentParser
internal import StreamDriving

/// The options that keep the state of a run on disk.
struct StateOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Keeps the state of the run in this folder, and continues from it: --state /var/lib/orders.", valueName: "dir"),
    completion: .directory)
  var state: String?

  @Option(
    help: ArgumentHelp(
      "How often the state is saved: a time such as 500ms, 5s or 1m, or a number of values. Default 5s.",
      valueName: "interval"))
  var every: SaveInterval?

  @Option(
    help: ArgumentHelp(
      "If the stream file is not the one whose state was saved: keep continues with its state as far as possible, "
        + "reset begins again, refuse ends. Default keep.", valueName: "choice"))
  var stateMismatch: StateRequest.Mismatch?

  @Flag(help: "Standard input, if it is a pipe, brings everything again from the start: skips what the state has read.")
  var refeed = false

  init() {}

  func validate() throws {
    guard state == nil else { return }
    let name = every != nil ? "--every" : stateMismatch != nil ? "--state-mismatch" : refeed ? "--refeed" : nil
    if let name { throw ValidationError("\(name) needs --state DIR") }
  }

  /// The place of the state; nil if none is kept.
  var request: StateRequest? {
    guard let state else { return nil }
    var request = StateRequest(folder: state)
    if let every { request.interval = every }
    if let stateMismatch { request.mismatch = stateMismatch }
    request.feedsAgain = refeed
    return request
  }
}

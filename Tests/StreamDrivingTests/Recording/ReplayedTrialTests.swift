import StreamCore
import StreamEngine
import StreamFiles
import StreamKit
import StreamTesting
import TestSupport
import Testing

@testable import StreamDriving

/// Recordings of streams whose new versions are on trial: a replay ends each trial as the run has ended it.
@Suite struct ReplayedTrialTests {
  private enum Act { case swap(String), pass, stop }

  /// A watch that acts when the run looks for the so-manieth time.
  private final class ScriptedWatch: ChangeWatch {
    private let path: String
    private let acts: [Int: Act]
    private(set) var looks = 0
    var trial: SwapTrial?

    init(_ path: String, _ acts: [Int: Act]) { (self.path, self.acts) = (path, acts) }

    func watch(_ paths: [String]) {}
    var untilNextLook: Int64 { 0 }
    var exists: Bool { true }

    func hasChanged() -> Bool {
      looks += 1
      switch acts[looks] {
      case nil: return false
      case .swap(let text):
        Fixture.write(text, to: path)
        trial = SwapTrial { _ in }
        return true
      case .pass: trial?.pass()
      case .stop: trial?.fail(StreamFailure(.streamFailed, "halted from outside"))
      }
      return false
    }
  }

  /// A stream whose versions share a sum. Each 40th value becomes 600 outputs, between which a run looks for a version.
  private static func stream(_ last: String) -> String {
    """
    { "inputs": { "n": { } }, "source": { "input": { "name": "n" } },
      "operators": [
        { "scan": { "initialValue": 0, "expression": "acc + value" } },
        { "flatMap": { "stream": { "source": { "range": { "from": 1, "through": 600 } },
          "operators": [ { "prefixWhile": { "expression": "value == 1 || outer % 40 == 0" } },
                         { "map": { "expression": "[outer, value]" } } ] } } },
        \(last) ] }
    """
  }

  private static let versions = [
    stream(#"{ "map": { "expression": "value[0]" } }"#),
    stream(#"{ "map": { "expression": "[value[1], value[0] * 2]" } }"#),
    stream(#"{ "map": { "expression": "100 / (value[0] < 3000 ? 1 : 0)" } }"#),
    stream(#"{ "map": { "expression": "100 / (value[1] < 400 ? 1 : 0)" } }"#),
    stream(#"{ "debounce": { "seconds": 0.0015 } }, { "map": { "expression": "100 / (value[0] < 2000 ? 1 : 0)" } }"#),
    stream(#"{ "map": { "expression": "value[0] + (value[0] < 6000 ? 0 : 1 / 0)" } }"#),
  ]

  private struct Runs {
    var recorded: String
    var recording: String
    var replayed: Outcome
    /// The values that a stepped replay finds.
    var stepped: [String]
    var code: Int32
  }

  /// Runs with a recording, and replays it.
  private func runs(_ acts: [Int: Act]) throws -> Runs {
    let folder = Fixture.Folder()
    let file = folder.add("s.json", Self.versions[0])
    folder.add("in.ndjson", (1...160).map { "\($0)\n" }.joined())
    let errors = try FileDescriptor.append(folder.path("errors"))
    defer { errors.close() }
    var request = RunRequest(file: file)
    // The other tests of this process take memory, too.
    request.memory = ByteCount(.max)
    request.virtual = true
    request.input = [NamedArgument(inputArgument: "n=" + folder.path("in.ndjson"))]
    request.recording = folder.path("r.ndjson")
    request.output.outputs = [folder.path("out.ndjson")]
    let code = try request.perform(
      Console(color: .never, errors: errors), watching: ScriptedWatch(file, acts), restarts: false)
    let replayed = Subprocess.run(["replay", "r.ndjson"], in: folder.path)
    let replay = ReplayRequest(recording: folder.path("r.ndjson"))
    let steps = try SteppedReplay(replay, Console(color: .never, errors: errors))
    var stepped = values(steps)
    while try steps.stepForward() { stepped += values(steps) }
    return Runs(
      recorded: Fixture.read(folder.path("out.ndjson")), recording: Fixture.read(folder.path("r.ndjson")),
      replayed: replayed, stepped: stepped, code: code)
  }

  private func values(_ replay: SteppedReplay) -> [String] {
    replay.outputs.compactMap { if case .value(let value) = $0.event { JSONWriter.compact(value) } else { nil } }
  }

  private func check(_ runs: Runs, _ comment: String) {
    let lines = runs.recorded.split(separator: "\n").map(String.init)
    #expect(runs.replayed.output == runs.recorded, "\(comment): \(runs.replayed.errors)")
    #expect(runs.replayed.code == runs.code, "\(comment): \(runs.replayed.errors)")
    #expect(runs.stepped == lines, "\(comment)")
  }

  @Test("A version that fails is rolled back by the replay, too")
  func failed() throws {
    let runs = try runs([20: .swap(Self.versions[2])])
    #expect(runs.recording.contains("\"trial\":\"failed\""))
    #expect(runs.code == 0)
    check(runs, "failed")
  }

  @Test("A version that was kept fails in the replay as it has failed")
  func kept() throws {
    let runs = try runs([20: .swap(Self.versions[2]), 30: .pass])
    #expect(runs.recording.contains("\"trial\":\"kept\""))
    #expect(runs.code == 1)
    check(runs, "kept")
  }

  @Test("A trial that was ended from outside ends at the same event")
  func stopped() throws {
    let runs = try runs([20: .swap(Self.versions[1]), 60: .stop])
    #expect(runs.recording.contains("\"trial\":\"stopped\""))
    check(runs, "stopped")
  }

  @Test("Trials at random are replayed exactly", arguments: 0..<20)
  func random(seed: Int) throws {
    var generator = SeededGenerator(seed: UInt64(seed))
    var acts: [Int: Act] = [:]
    for _ in 0..<(2 + generator.below(8)) {
      acts[1 + generator.below(180)] =
        switch generator.below(5) {
        case 0: .pass
        case 1: .stop
        default: .swap(Self.versions[generator.below(Self.versions.count)])
        }
    }
    check(try runs(acts), "seed \(seed): \(acts.sorted { $0.key < $1.key })")
  }
}

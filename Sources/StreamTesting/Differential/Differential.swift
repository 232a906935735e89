public import StreamCore
internal import StreamEngine
package import StreamKit

/// Differential testing of a random pipeline: runs it in every execution mode and compares the events with those of the
/// baseline, which runs each operator as a machine.
public struct Differential {
  /// A mode of execution to compare with the baseline.
  public enum Mode: String, CaseIterable, Sendable {
    /// As one program. Values are sent one at a time; a source runs until the stream publishes an event.
    case singly
    /// As one program, with a demand of a few values at a time.
    case demand
    /// As one program that pauses after random numbers of steps, so that batches are cut anywhere.
    case stepped
    /// Alternating between one program and separate machines: saved and restored at random points.
    case restored
    /// Replaced by another version of the same stream file at random points.
    case swapped
    /// As one program over a file with one JSON value per line.
    case ndjson
    /// As one program over a table.
    case csv
  }

  /// A difference between a mode and the baseline.
  public struct Difference: Sendable {
    public let mode: Mode
    public let text: String
  }

  /// The errors of operators that do not fit each other's types.
  package static let misfits: Set<DiagnosticCode> = [.typeMismatch, .noMatchingOverload, .unknownField]

  public let pipeline: RandomPipeline
  /// The modes that apply to the pipeline.
  public let modes: [Mode]
  private let main: CompiledPair
  private let files: [Mode: CompiledPair]

  /// Compiles the pipeline with and without fusion.
  ///
  /// - Returns: Nil if neighboring operators do not fit each other's types.
  /// - Throws: Any other error in the pipeline, which is a bug of the generator.
  public init?(_ pipeline: RandomPipeline) throws(Diagnostics) {
    try self.init(pipeline) { ValueFilesInMemory($0, pieceSize: Self.pieceSizes[Int(pipeline.seed % 4)]) }
  }

  /// - Parameter open: Returns access to files with these texts, by path.
  package init?(
    _ pipeline: RandomPipeline, reading open: ([String: String]) -> any ValueFiles
  ) throws(Diagnostics) {
    do throws(Diagnostics) {
      main = try CompiledPair(pipeline.model, files: nil)
      var files: [Mode: CompiledPair] = [:]
      for (mode, model, text) in pipeline.fileVariants {
        files[mode] = try CompiledPair(model, files: open([RandomPipeline.fileName(mode): text]))
      }
      self.files = files
    } catch {
      guard error.all.allSatisfy({ Self.misfits.contains($0.code) }) else { throw error }
      return nil
    }
    self.pipeline = pipeline
    modes = Mode.allCases.filter { [files] mode in
      switch mode {
      case .singly, .demand, .stepped, .restored, .swapped: true
      case .ndjson, .csv: files[mode] != nil
      }
    }
  }

  /// Sizes of the pieces in which files are read.
  private static let pieceSizes = [1 << 16, 1_000, 300, 64]

  /// A short form of the stream file, and the number of values fed.
  public var listing: String { "\(pipeline.size) values: \(JSONWriter.compact(pipeline.model).prefix(2_000))" }

  /// Returns the differences between the modes and the baseline; nil if the baseline has no end within the limit of
  /// steps.
  ///
  /// - Parameter modes: The modes to compare. Default: all that apply to the pipeline.
  public func differences(in modes: [Mode]? = nil) -> [Difference]? {
    guard let expected = run(main.plain, .singly, isBaseline: true) else { return nil }
    var differences: [Difference] = []
    for mode in modes ?? self.modes {
      var expected = expected
      if let file = files[mode] {
        guard let read = run(file.plain, mode, isBaseline: true) else { continue }
        expected = read
      } else if mode == .demand, !pipeline.isLinear {
        guard let limited = run(main.plain, mode, isBaseline: true) else { continue }
        expected = limited
      }
      let actual = run((files[mode] ?? main).fused, mode, isBaseline: false, atMost: expected.count + 100) ?? []
      guard actual != expected else { continue }
      let place = zip(expected, actual).prefix { $0 == $1 }.count
      let (wanted, found) = (expected.dropFirst(place).prefix(3), actual.dropFirst(place).prefix(3))
      differences.append(
        Difference(mode: mode, text: "after \(place) events: expected \(Array(wanted)), got \(Array(found))"))
    }
    return differences
  }

  /// The events of a run as text; nil if there are too many of them or too many steps.
  private func run(_ compiled: Pipeline, _ mode: Mode, isBaseline: Bool, atMost limit: Int = 4_000) -> [String]? {
    var run = DifferentialRun(Execution(compiled), seed: pipeline.seed, limit: limit)
    run.isBaseline = isBaseline
    switch mode {
    case .singly, .ndjson, .csv: break
    case .demand:
      run.demand = Demand(1 + Int(pipeline.seed % 40))
      run.requestsAtRandom = !pipeline.isLinear
    case .stepped: run.interruption = .pause
    case .restored: run.interruption = .restore([main.fused, main.plain])
    case .swapped: run.interruption = .swap(main.versions)
    }
    run.begin()
    if files[mode] == nil, let events = pipeline.events { run.play(events) }
    run.end()
    return run.hasGivenUp ? nil : run.told
  }
}

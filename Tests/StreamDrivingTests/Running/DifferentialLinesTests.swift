import StreamCore
import StreamEngine
import StreamKit
import StreamTesting
import TestSupport
import Testing

@testable import StreamDriving
@testable import StreamFiles

/// Random pipelines over lines of files, as the command runs them: with one thread and with two, beside the baseline.
@Suite struct DifferentialLinesTests {
  /// A run of a pipeline by the command, in this process.
  private struct CommandRun {
    let folder: Fixture.Folder
    let fuses: Bool
    let readingAhead: ReadAheadPolicy
    let pieceSize: Int

    /// The lines of the output and the end of the run.
    ///
    /// - Parameter line: The file of the input; nil for a stream that reads a file itself.
    func lines(_ model: Value, input: String?) throws -> (lines: [String], readsRows: Bool) {
      let console = Console(
        color: .never, access: FileAccess(granted: [folder.path]), errors: LineRecorder.nowhere)
      let loader = console.makeLoader()
      loader.readAhead(input == nil ? readingAhead : .never, pieces: pieceSize)
      let stream = try loader.load(folder.add("stream.json", JSONWriter.compact(model)))
      let pipeline = try stream.compile(CompileOptions(loader: loader, files: loader, fuses: fuses))
      let report = SkipReport(console, skips: true)
      let feeds = try input.map { path in
        FileFeed(
          0, name: "a", file: path, descriptor: try FileDescriptor.open(path), type: pipeline.inputs[0].type,
          report: report, readingAhead: readingAhead, pieces: pieceSize)
      }
      defer { feeds?.retire() }
      let writer = LineRecorder()
      let session = RunSession(
        StreamSession(pipeline, origin: Timestamp(seconds: 0), limit: .none), feeds: feeds.map { [$0] } ?? [],
        until: nil, limit: nil, outputs: RunOutputs(writer, console), console: console,
        report: report, reportsHooks: false
      ) { Diagnostic(.streamFailed, $0.message) }
      var end = "ended"
      do throws(RunStop) {
        try LiveDriver(session: session, clock: LiveClock(), speed: 1).run()
      } catch {
        guard case .failed(let failure) = error else { throw error }
        end = "failed: \(failure)"
      }
      session.close()
      let skipped = "skipped \(report.lineCount), \(report.valueCount)"
      return (writer.lines + [skipped, end], session.rowCount > 0)
    }
  }

  private static let blocks: UInt64 = 8

  @Test("Lines of files come to the same with one thread and with two", arguments: 0..<blocks)
  func saysTheSame(_ block: UInt64) throws {
    let count = max(PropertyCount.cases(byDefault: 800) / Self.blocks, 40)
    var (ran, ranOverInput, readsRows) = (0, 0, 0)
    for seed in block * count..<(block + 1) * count {
      // Without timers, so that the clock makes no difference.
      let pipeline = RandomPipeline(seed: seed, atMost: 300)
      guard pipeline.isLinear, try Differential(pipeline) != nil else { continue }
      for (mode, model, text) in pipeline.fileVariants {
        let folder = Fixture.Folder()
        let path = folder.add(RandomPipeline.fileName(mode), text)
        for input in mode == .ndjson ? [nil, path] : [nil] {
          let model = input == nil ? model : pipeline.model
          let size = [40, 300, 3_000, 100_000][Int(seed % 4)]
          func run(fuses: Bool, _ readingAhead: ReadAheadPolicy) throws -> (lines: [String], readsRows: Bool) {
            try CommandRun(folder: folder, fuses: fuses, readingAhead: readingAhead, pieceSize: size)
              .lines(model, input: input)
          }
          let expected = try run(fuses: false, .never).lines
          let (one, isOfRows) = try run(fuses: true, .never)
          let two = try run(fuses: true, .after(seed % 2 == 0 ? 0 : 2_000)).lines
          #expect(one == expected, "one thread, \(pipeline.report)")
          #expect(two == expected, "two threads, \(pipeline.report)")
          ran += 1
          if input != nil { ranOverInput += 1 }
          if isOfRows { readsRows += 1 }
        }
      }
    }
    // A generator that reaches no rows compares nothing.
    #expect(ran * 8 > count)
    #expect(readsRows * 12 > ranOverInput, "\(readsRows) of \(ranOverInput)")
  }
}

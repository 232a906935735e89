internal import StreamCore
internal import StreamEngine
internal import StreamFiles
internal import StreamKit

extension RecordingHeader {
  /// The header of the recording of a run.
  init(_ run: StreamRun, _ prepared: PreparedStream, origin: Timestamp) {
    self.init(RecordedStream(prepared))
    let request = run.options
    options.format = run.outputs.main.format
    options.timestamps = request.timestamps
    options.skipErrors = request.skipErrors
    // A later run continues a run with a state.
    options.limit = run.persistence == nil ? run.limit : nil
    options.seconds = request.seconds
    options.speed = request.speed?.factor
    options.longestValue = request.longestValue.bytes
    options.eventTime = request.eventTime.expression
    options.hasEventTime = !run.clocks.isEmpty
    options.isVirtual = run.standsStill
    inputs = prepared.version.pipeline.inputs.map(\.name)
    let declared = prepared.stream.model.parameters
    parameters = request.compile.set.filter { declared[$0.name] == nil }.map { ($0.name, $0.text) }
    self.origin = origin
    started = LiveClock().origin
  }
}

extension RecordingWriter {
  /// Writes the end of a run.
  func finish(_ session: RunSession, _ stop: RunStop?) {
    finish(
      at: session.stream.time, values: session.writtenCount, because: RecordingEnd.Reason(stop, session.end))
  }
}

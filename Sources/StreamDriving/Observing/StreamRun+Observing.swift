internal import StreamCore
internal import StreamFiles
internal import StreamKit

extension StreamRun {
  /// Adds the services that observe a run, as it was asked for.
  func observe(_ session: RunSession) throws(RunStop) {
    if let tap = console.tap {
      if !clocks.isEmpty { tap.showEventTimes() }
      session.serve(TapService(tap))
    }
    let request = options.observing
    if let path = request.metrics {
      // A full disk passes; a path that is wrong does not.
      guard Directory.isDirectory(Path.directory(of: path)) else {
        throw .refused(SystemError.missingFile.diagnostic(writing: path), nil)
      }
      session.serve(MetricsFile(path, every: request.metricsSeconds, of: options.file))
    }
    guard let folder = request.socketFolder ?? options.state?.folder else { return }
    let (watch, prepared) = (watch, prepared)
    do throws(Diagnostic) {
      session.serve(try StatusService(in: folder, of: options.file) { watch?.current ?? prepared })
    } catch {
      throw .refused(error, nil)
    }
  }
}

extension PreparedStream {
  /// All operators of the stream, in the order of the file.
  var places: [ProbePlace] { probes.places }

  /// Returns the same version with counters at its operators; without them if `counts` is nil.
  func version(counting counts: OperatorCounts?) -> StreamVersion? {
    guard let counts else { return version }
    var options = compileOptions
    options.remarks = nil
    options.probes = counts.choice(beside: options.probes)
    return (try? StreamVersion(stream, options))?.declaring(version.pipeline.inputs)
  }
}

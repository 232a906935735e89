package import StreamFiles

extension RunRequest {
  /// Every file that the run writes, by the option that names it: a new option that writes a file has a row here.
  ///
  /// The outputs first, since a later option is named in the message about two that name one file.
  package var writtenFiles: [WrittenFile] {
    var files = output.outputs.compactMap { argument in
      OutputAssignment.path(argument).map { WrittenFile("--output", $0) }
    }
    func add(_ option: String, _ path: String?) {
      if let path, path != StandardOutput.argument { files.append(WrittenFile(option, path)) }
    }
    add("--late-output", output.late)
    add("--record", recording)
    add("--tap-to", observing.tapPath)
    add("--metrics", observing.metrics)
    add("--socket", observing.socketFolder.map(StatusSocket.path))
    for path in state.map({ StateFolder.files(in: $0.folder) }) ?? [] { add("--state", path) }
    return files
  }
}

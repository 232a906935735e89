package import StreamCore
internal import Synchronization

/// A file that a command writes, with the option that names it.
package struct WrittenFile: Equatable, Sendable {
  package let option: String
  package let path: String

  package init(_ option: String, _ path: String) { (self.option, self.path) = (option, path) }
}

/// The regular files that a command reads and writes, so that no output overwrites an input.
///
/// A file is recognized by its device and number, whatever its path. Standard output is an output if a shell has
/// redirected it to a regular file.
package final class UsedFiles: Sendable {
  private typealias Names = [FileStatus.Identity: String]
  private let state: Mutex<(inputs: Names, outputs: Names)>

  package init() {
    var outputs: Names = [:]
    if let status = try? FileDescriptor.standardOutput.status(), status.kind == .regular {
      outputs[status.identity] = "<stdout>"
    }
    state = Mutex((inputs: [:], outputs: outputs))
  }

  /// Notes that an open file is read.
  ///
  /// - Throws: A diagnostic if the file is an output.
  package func noteInput(_ file: FileDescriptor, name: String) throws(Diagnostic) {
    guard let status = try? file.status(), status.kind == .regular else { return }
    let output = state.withLock { state in
      state.inputs[status.identity] = name
      return state.outputs[status.identity]
    }
    if let output { throw Self.refusal(output, name) }
  }

  /// Notes that an open file is no longer read, before it is closed: a new file may get its number.
  package func endInput(_ file: FileDescriptor) {
    guard let status = try? file.status() else { return }
    state.withLock { _ = $0.inputs.removeValue(forKey: status.identity) }
  }

  /// Checks that the file at a path can be read.
  ///
  /// - Throws: A diagnostic if the file is an output.
  package func checkInput(_ path: String) throws(Diagnostic) {
    guard let status = try? FileStatus(path), status.kind == .regular else { return }
    if let output = state.withLock({ $0.outputs[status.identity] }) { throw Self.refusal(output, path) }
  }

  /// Notes that the file at a path is read later.
  package func noteInput(at path: String, name: String) {
    guard let status = try? FileStatus(path), status.kind == .regular else { return }
    state.withLock { $0.inputs[status.identity] = name }
  }

  /// Checks the files that a command is about to write, before any of them is opened.
  ///
  /// - Throws: A diagnostic if one of them is an input, or if two of them are one file, whatever their paths.
  package func checkOutputs(_ files: [WrittenFile]) throws(Diagnostic) {
    var (existing, missing): ([FileStatus.Identity: WrittenFile], [String: WrittenFile]) = ([:], [:])
    for file in files {
      let other: WrittenFile?
      if let status = try? FileStatus(file.path) {
        guard status.kind == .regular else { continue }
        try requireNoInput(status, name: file.path)
        let used = state.withLock { $0.outputs[status.identity] }
        other = existing.updateValue(file, forKey: status.identity) ?? used.map { WrittenFile("", $0) }
      } else {
        guard let place = Path.expected(file.path) else { continue }
        other = missing.updateValue(file, forKey: place)
      }
      guard let other else { continue }
      let isSame = other.option == file.option || other.option.isEmpty
      throw Diagnostic(
        .cannotWrite, "'\(file.path)' is the file of '\(other.path)' too",
        notes: isSame ? [] : ["the options are \(other.option) and \(file.option)"], help: "write to different files")
    }
  }

  /// Notes that an open file is written.
  ///
  /// - Throws: A diagnostic if the file is an input, or another output.
  package func noteOutput(_ file: FileDescriptor, name: String) throws(Diagnostic) {
    guard let status = try? file.status(), status.kind == .regular else { return }
    try requireNoInput(status, name: name)
    let output = state.withLock { $0.outputs.updateValue(name, forKey: status.identity) }
    guard let output else { return }
    throw Diagnostic(
      .cannotWrite, "'\(name)' is the file of '\(output)' too", help: "write the two outputs to different files")
  }

  /// Notes that a new file is written instead of the former file of an output.
  ///
  /// NB: The former file may be gone, and its number given to any new file.
  package func noteNextOutput(_ file: FileDescriptor, name: String) {
    guard let status = try? file.status(), status.kind == .regular else { return }
    state.withLock { state in
      state.outputs = state.outputs.filter { $0.value != name }
      state.outputs[status.identity] = name
    }
  }

  /// Checks that the file at a path, which need not exist, can be written.
  ///
  /// - Parameter help: How the command replaces its input, if it can. Default: how to avoid that.
  /// - Throws: A diagnostic if the file is an input.
  package func checkOutput(_ path: String, help: String? = nil) throws(Diagnostic) {
    guard let status = try? FileStatus(path), status.kind == .regular else { return }
    try requireNoInput(status, name: path, help: help)
  }

  private func requireNoInput(_ status: FileStatus, name: String, help: String? = nil) throws(Diagnostic) {
    if let input = state.withLock({ $0.inputs[status.identity] }) { throw Self.refusal(name, input, help: help) }
  }

  /// Notes the file that an output replaces as a whole, whenever it has replaced it.
  package func noteReplacedOutput(_ path: String) {
    guard let file = try? FileDescriptor.open(path) else { return }
    defer { file.close() }
    noteNextOutput(file, name: path)
  }

  private static func refusal(_ output: String, _ input: String, help: String? = nil) -> Diagnostic {
    let message = output == input ? "'\(output)' is an input too" : "'\(output)' is the input file '\(input)'"
    return Diagnostic(
      .cannotWrite, "\(message); writing would destroy it", help: help ?? "write to another file")
  }
}

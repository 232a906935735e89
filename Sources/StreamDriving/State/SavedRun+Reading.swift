internal import CEL
@_spi(Engine) package import StreamCore
internal import StreamEngine
internal import StreamFiles
internal import StreamKit

// The operations of the command 'state' on a saved run.
extension SavedRun {
  /// Returns the JSON text.
  ///
  /// - Throws: A diagnostic if the execution cannot be encoded.
  package func text() throws(Diagnostic) -> [UInt8] {
    do {
      return try bytes()
    } catch {
      throw Diagnostic(.snapshotMismatch, "the state cannot be written: \(error)")
    }
  }

  /// The execution, as the version of the stream that was saved.
  ///
  /// - Throws: The errors in the stream files, or how the state does not fit them.
  private func execution() throws(Diagnostics) -> Execution {
    try Execution(content.stream.version(UnreadFiles()).pipeline, restoring: session.execution)
  }

  /// Checks that the stream in the state is valid, and that the state is one of it.
  ///
  /// - Throws: Why that is not so.
  package func verify() throws(Diagnostics) { _ = try execution() }

  /// Describes the state for people and for `jq`.
  ///
  /// - Parameters:
  ///   - path: The path of the file.
  ///   - count: Maximum number of instances of an operator whose states are shown.
  package func description(of path: String, instances count: Int) -> Value {
    var members: [(String, Value)] = [
      ("state", .string(path)), ("savedAt", .string(savedAt)), ("program", .string(content.program)),
      ("stream", .string(content.stream.file)), ("written", .int(Int64(content.writtenCount))),
    ]
    switch content.end {
    case nil: break
    case .finished?: members.append(("end", "finished"))
    case .failure(let failure)?: members.append(("end", .string(failure.message)))
    }
    members.append(("inputs", .list(content.inputs.filter { !$0.file.isEmpty }.map(\.described))))
    members.append(("outputs", .list(content.outputs.map(\.described))))
    do throws(Diagnostics) {
      let execution = try execution()
      members.append(("time", .double(execution.latestTime.seconds)))
      members.append(("operators", .list(Self.operators(of: execution, count))))
    } catch {
      members.append(("unreadable", .string(error.all.first?.message ?? "")))
    }
    return .object(members)
  }

  private static func operators(of execution: Execution, _ count: Int) -> [Value] {
    let holdings = (try? execution.holdings()) ?? []
    var order: [String] = []
    var groups: [String: [Execution.Holding]] = [:]
    for holding in holdings {
      let key = "\(holding.pointer) \(holding.name)"
      if groups[key] == nil { order.append(key) }
      groups[key, default: []].append(holding)
    }
    return order.sorted().compactMap { key in
      guard let group = groups[key], let first = group.first else { return nil }
      return .object([
        ("name", .string(first.name)), ("place", .string(first.pointer.description)),
        ("instances", .int(Int64(group.count))), ("bytes", .int(Int64(group.reduce(0) { $0 + $1.bytes }))),
        ("states", .list(group.prefix(count).map(\.state))),
      ])
    }
  }
}

/// The data files of a state that is only inspected: none is opened.
private struct UnreadFiles: ValueFiles {
  func open(
    _ path: String, format: FileFormat, relativeTo base: String?, at place: FilePlace
  ) throws(Diagnostic) -> any ValueReader {
    throw Diagnostic(.cannotRead, "'\(path)' is not read")
  }
}

extension Value {
  fileprivate static func object(_ members: [(String, Value)]) -> Value {
    .map(ValueMap(shape: Shape(names: members.map(\.0)), slots: members.map(\.1)))
  }
}

extension FeedPosition {
  fileprivate var described: Value {
    .object([
      ("input", .string(input)), ("file", .string(file)), ("format", .string(format)),
      ("records", .int(Int64(recordCount))), ("line", .int(Int64(place.line))), ("bytes", .int(Int64(place.offset))),
      ("done", .bool(isDone)),
    ])
  }
}

extension OutputPosition {
  fileprivate var described: Value {
    .object([
      ("output", name.map(Value.string) ?? .null), ("file", path.map(Value.string) ?? .null),
      ("bytes", .int(Int64(bytes))), ("values", .int(Int64(values))),
    ])
  }
}

extension StateFolder {
  /// Reads an exported state.
  package static func exported(_ path: String, _ name: String) throws(Diagnostic) -> [UInt8] {
    if path == StandardInput.argument { return try FileContents.readStandardInput(limit: .max, noting: UsedFiles()) }
    return try FileContents.read(path, name: name, limit: .max, noting: UsedFiles())
  }

  /// Makes a state the newest one.
  package func add(_ saved: SavedRun) throws(Diagnostic) -> Entry {
    let number = (try entries().first?.number ?? 0) + 1
    try write(saved.text(), number: number)
    return Entry(number: number, path: Path.join(path, "state-\(number)"))
  }
}

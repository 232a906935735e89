internal import StreamConsole
internal import StreamCore
internal import StreamDriving
internal import StreamEngine
internal import StreamFiles
internal import StreamKit

/// Goes through a recording by commands: keys of a terminal, or lines of standard input.
struct StepSession {
  private let replay: SteppedReplay
  private let console: Console
  /// The ids of operators by their places, and the places by the ids.
  private let ids: [JSONPointer: String]

  private static let help = """
    n, or Return   the next event (n 10: ten events)
    b              back to before the event (b 10: ten events)
    o ID           to the next output of an operator, by its id or its place such as /operators/2
    g N            to event N
    e              to the end
    q              quit
    """

  init(_ request: ReplayRequest, _ console: Console) throws(Diagnostics) {
    replay = try SteppedReplay(request, console)
    self.console = console
    var ids: [JSONPointer: String] = [:]
    Self.findIDs(in: replay.document.value, at: [], &ids)
    self.ids = ids
  }

  /// Acts on the commands until there are no more. Returns the exit code.
  func run() throws(Diagnostics) -> Int32 {
    var keys = StepKeys(console.output)
    defer { keys?.restore() }
    if keys != nil { console.output.appendLines(StepKeys.help + "\n") }
    show()
    var rest: [UInt8] = []
    while true {
      do throws(RunStop) {
        try console.output.flush()
        guard let command = keys == nil ? readLine(&rest) : try keys?.command() else {
          return Interruption.hasHappened ? ExitCode.interrupted : ExitCode.good
        }
        guard try act(on: command, isKey: keys != nil) else { return ExitCode.good }
      } catch {
        switch error {
        case .refused(let diagnostic, let source): console.report(diagnostic, in: source)
        case .outputClosed: return ExitCode.good
        default: return ExitCode.interrupted
        }
        if keys == nil { return ExitCode.wrong }
      }
    }
  }

  private func readLine(_ rest: inout [UInt8]) -> String? {
    while true {
      if let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
        defer { rest.removeSubrange(...end) }
        return String(decoding: rest[..<end], as: UTF8.self)
      }
      guard let piece = try? FileDescriptor.standardInput.read(atMost: 4096) else { return nil }
      guard !piece.isEmpty else {
        defer { rest = [] }
        return rest.isEmpty ? nil : String(decoding: rest, as: UTF8.self)
      }
      rest += piece
    }
  }

  /// Acts on a command. Returns false if it ends the session.
  private func act(on line: String, isKey: Bool) throws(RunStop) -> Bool {
    let words = line.split(whereSeparator: { $0 == " " || $0 == "\t" || $0 == "\r" }).map(String.init)
    let number = words.dropFirst().first.flatMap { Int($0) }
    switch words.first {
    case nil, "n": try go(to: replay.position + max(1, number ?? 1))
    case "b": try goBack(max(1, number ?? 1))
    case "g":
      guard let number, number >= 0 else { return tell("g needs the number of an event") }
      try go(to: number)
    case "o":
      guard words.count > 1 else { return tell("o needs the id of an operator, or its place such as /operators/2") }
      guard let place = place(of: words[1]) else { return tell(unknown(words[1])) }
      if try !replay.run(toOutputOf: place) { _ = tell("no further output of \(words[1])") }
      show()
    case "e": try go(to: .max)
    case "q": return false
    default: console.output.appendLines((isKey ? StepKeys.help : Self.help) + "\n")
    }
    return true
  }

  private func go(to target: Int) throws(RunStop) {
    try replay.go(to: target)
    if replay.isAtEnd { _ = tell("the recording has no more events") }
    show()
  }

  private func goBack(_ count: Int) throws(RunStop) {
    if replay.position == 0 { _ = tell("this is the beginning") }
    try replay.go(to: max(0, replay.position - count))
    show()
  }

  private func tell(_ text: String) -> Bool {
    console.output.appendLine(text)
    return true
  }

  // MARK: Operators

  private func place(of name: String) -> JSONPointer? {
    if let place = ids.first(where: { $0.value == name })?.key { return place }
    guard name.hasPrefix("/") else { return nil }
    return try? JSONPointer(parsing: name)
  }

  private func unknown(_ name: String) -> String {
    let names = Set(ids.values).sorted()
    if let near = nearestName(to: name, among: names) {
      return "there is no operator '\(name)'; did you mean '\(near)'?"
    }
    let known = names.isEmpty ? "write its place such as /operators/2" : "ids: \(names.joined(separator: ", "))"
    return "there is no operator '\(name)'; \(known)"
  }

  private static func findIDs(in value: Value, at path: [String], _ ids: inout [JSONPointer: String]) {
    switch value {
    case .map(let map):
      if let id = map["id"]?.text { ids[JSONPointer(path)] = id }
      for (key, inner) in map.pairs { if let name = key.text { findIDs(in: inner, at: path + [name], &ids) } }
    case .list(let items):
      for (index, item) in items.enumerated() { findIDs(in: item, at: path + [String(index)], &ids) }
    default: break
    }
  }

  // MARK: The screen

  private func show() {
    let total = replay.count.map { " of \($0)" } ?? ""
    let event = replay.latestEvent ?? "before the first event"
    console.output.appendLine("event \(replay.position)\(total) \(event)")
    for output in replay.outputs {
      console.output.appendLine(
        "  output at \(SteppedReplay.seconds(output.time)): \(text(of: output.event))")
    }
    for view in replay.operators() { show(view) }
  }

  private func show(_ view: SteppedReplay.OperatorView) {
    let id = ids.first {
      view.pointer.tokens.starts(with: $0.key.tokens) && $0.key.tokens.count + 1 >= view.pointer.tokens.count
    }
    var line = "  \(id?.value ?? "\(view.pointer)") \(view.name)"
    if let latest = view.latest {
      line += "  latest \(text(of: latest.event)) at \(SteppedReplay.seconds(latest.time))"
    }
    if let state = view.states.first {
      line += "  state \(SteppedReplay.short(state.state))"
      if let deadline = state.timers.min() { line += "  timer at \(SteppedReplay.seconds(deadline))" }
    }
    if view.states.count > 1 { line += "  (\(view.states.count) subscriptions)" }
    console.output.appendLine(line)
  }

  private func text(of event: ExecutionEvent) -> String {
    switch event {
    case .value(let value): SteppedReplay.short(value)
    case .finished: "finished"
    case .failure(let failure), .skipped(let failure): "failure \(failure)"
    case .call(let call): "call of \(call.function)"
    case .noted(let note): "note \(SteppedReplay.short(note.message))"
    }
  }
}

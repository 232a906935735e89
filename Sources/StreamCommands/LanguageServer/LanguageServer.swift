internal import StreamCore
internal import StreamDriving
internal import StreamFiles

/// The language server: receives messages of an editor in order and returns the replies.
///
/// It performs no input or output and never blocks; its owner decides when it works. Diagnostics are published once no
/// other message is waiting, so that they do not pile up while the user types.
final class LanguageServer {
  enum Phase { case new, running, shutDown, ended }

  private(set) var phase = Phase.new
  /// Received messages without a reply, oldest first.
  private var waiting: [ServerMessage] = []
  /// Number of messages in `waiting` already handled.
  private var taken = 0
  /// The requests among them that the editor has taken back.
  private var canceled: Set<Value> = []
  var files: OpenFiles
  var client = ClientAbilities(.null)

  /// - Parameter access: The files that stream files can refer to. Default: files below their directories.
  init(_ access: FileAccess = FileAccess()) { files = OpenFiles(access) }

  /// The exit code once the editor has requested the exit: success only after a `shutdown` request.
  private(set) var exitCode: Int32?

  /// Why no more messages can be read: the session ends once those before have been answered.
  private(set) var fatalFault: String?

  /// Whether there is something to do.
  var isBusy: Bool { exitCode == nil && (taken < waiting.count || !files.stale.isEmpty) }

  /// Enqueues a frame, which is parsed when its turn comes.
  func receive(_ frame: MessageFrames.Frame) {
    switch frame {
    case .message(let bytes):
      let message = ServerMessage(bytes)
      if case .notification("$/cancelRequest", let parameters) = message {
        // A request that has been answered can no longer be canceled.
        if let id = parameters.member("id"), waiting[taken...].contains(where: { $0.id == id }) { canceled.insert(id) }
      } else {
        waiting.append(message)
      }
    case .fault(let fault): waiting.append(.invalid(id: .null, ServerError(.parseError, fault)))
    case .end(let fault):
      waiting.append(.invalid(id: .null, ServerError(.parseError, fault)))
      fatalFault = fault
    }
  }

  /// Performs the next pending task and returns the messages for the editor.
  func work() -> [Value] {
    guard exitCode == nil else { return [] }
    if taken < waiting.count {
      let message = waiting[taken]
      taken += 1
      let isLast = taken == waiting.count
      if isLast {
        waiting.removeAll()
        taken = 0
      }
      let messages = answer(message)
      if isLast, fatalFault != nil, exitCode == nil { exitCode = ExitCode.failed }
      return messages
    }
    guard let file = files.stale.first else { return [] }
    files.noteTold(file.uri)
    return [notification("textDocument/publishDiagnostics", DiagnosticAnswers(client).parameters(for: file))]
  }

  /// The editor is gone.
  func end() {
    if exitCode == nil { exitCode = phase == .shutDown ? ExitCode.good : ExitCode.failed }
    phase = .ended
  }

  // MARK: Messages

  private func answer(_ message: ServerMessage) -> [Value] {
    switch message {
    case .response: return []
    case .invalid(let id, let error): return [response(id, .failure(error))]
    case .notification(let method, let parameters): return note(method, parameters)
    case .request(let id, let method, let parameters):
      if canceled.remove(id) != nil {
        return [response(id, .failure(ServerError(.canceled, "the request was canceled")))]
      }
      do throws(ServerError) {
        return [response(id, .success(try result(method, parameters)))]
      } catch {
        return [response(id, .failure(error))]
      }
    }
  }

  private func result(_ method: String, _ parameters: Value) throws(ServerError) -> Value {
    switch (phase, method) {
    case (.new, "initialize"):
      client = ClientAbilities(parameters.member("capabilities") ?? .null)
      phase = .running
      return ServerAbilities.result(for: client)
    case (.new, _):
      throw ServerError(.notInitialized, "'\(method)' was sent before 'initialize'")
    case (.running, "initialize"): throw ServerError(.invalidRequest, "'initialize' was sent twice")
    case (.running, "shutdown"):
      phase = .shutDown
      return .null
    case (.running, _): return try answer(method, parameters)
    case (.shutDown, _), (.ended, _):
      throw ServerError(.invalidRequest, "'\(method)' was sent after 'shutdown'; only 'exit' is allowed")
    }
  }

  private func note(_ method: String, _ parameters: Value) -> [Value] {
    if method == "exit" {
      end()
      return []
    }
    // Notifications before the start and after the end are ignored.
    return phase == .running ? handle(method, parameters) : []
  }

  private func response(_ id: Value, _ result: Result<Value, ServerError>) -> Value {
    switch result {
    case .success(let value): ["jsonrpc": "2.0", "id": id, "result": value]
    case .failure(let error): ["jsonrpc": "2.0", "id": id, "error": error.value]
    }
  }

  func notification(_ method: String, _ parameters: Value) -> Value {
    ["jsonrpc": "2.0", "method": .string(method), "params": parameters]
  }
}

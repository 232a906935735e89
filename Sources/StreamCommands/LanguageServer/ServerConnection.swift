internal import StreamCore
internal import StreamDriving
internal import StreamFiles

/// Connects a language server to standard input and output: reads frames, lets it work, and writes its messages.
struct ServerConnection {
  let input: FileDescriptor
  let output: FileDescriptor
  let server: LanguageServer
  private var frames = MessageFrames()

  private static let chunk = 64 * 1024

  /// - Parameter access: The files that stream files can refer to.
  init(input: FileDescriptor, output: FileDescriptor, access: FileAccess) {
    server = LanguageServer(access)
    self.input = input
    self.output = output
  }

  /// Serves until the editor requests the exit or disconnects.
  ///
  /// - Returns: The exit code.
  mutating func serve() throws(SystemError) -> Int32 {
    while server.exitCode == nil {
      // Available messages are read before the next step, since they may cancel waiting requests.
      if server.fatalFault == nil, !server.isBusy || Waiting.readable([input], nanoseconds: 0)[0] {
        let bytes = try input.read(atMost: Self.chunk)
        guard !bytes.isEmpty else {
          while server.isBusy { try write(server.work()) }
          server.end()
          break
        }
        frames.append(bytes)
        while let frame = frames.next() { server.receive(frame) }
      } else {
        try write(server.work())
      }
    }
    return server.exitCode ?? ExitCode.failed
  }

  private func write(_ messages: [Value]) throws(SystemError) {
    for message in messages {
      var body: [UInt8] = []
      JSONWriter.append(message, to: &body)
      try output.write(Array("Content-Length: \(body.count)\r\n\r\n".utf8) + body)
    }
  }
}

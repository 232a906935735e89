public import StreamCore

extension LiveStream {
  /// Compiles a loaded stream file; its paths are relative to the file.
  ///
  /// - Parameters:
  ///   - stream: The file.
  ///   - inputs: The feeds of the inputs, by name, for the file and the files it refers to.
  ///   - services: The functions and hooks that the files can use.
  ///   - options: Compile options; the loader reads the files referred to, and `services` are added to the host.
  /// - Throws: All errors in the file, names in `inputs` that it does not have (`S301`), inputs without a feed and an
  ///   initial value (`S303`), and feeds whose values no input of that type takes (`S304`).
  public init(
    _ stream: StreamFile, inputs: [String: any StreamFeed] = [:], services: HostServices = HostServices(),
    options: CompileOptions = CompileOptions()
  ) throws(Diagnostics) {
    try self.init(try stream.compile(options.adding(services)), inputs: inputs, services: services)
  }
}

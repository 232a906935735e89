public import StreamCore

extension LiveStream {
  /// Compiles a stream file as loaded: paths in it are seen from where it stands.
  ///
  /// - Parameters:
  ///   - stream: the stream file.
  ///   - inputs: what feeds the inputs of the file and of those that it names, by name.
  ///   - services: the functions and hooks that they may name.
  ///   - options: how the file is compiled; its loader reads the files that it names, its host is given what `services`
  ///     has.
  /// - Throws: all that is wrong with the file, and names in `inputs` that it does not have (`S301`).
  public init(
    _ stream: StreamFile, inputs: [String: any StreamFeed] = [:], services: HostServices = HostServices(),
    options: CompileOptions = CompileOptions()
  ) throws(Diagnostics) {
    var options = options
    services.announce(to: &options.host)
    try self.init(try stream.compile(options), inputs: inputs, services: services)
  }
}

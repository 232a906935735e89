public import StreamCore

extension StreamModel {
  /// Parses the text of a stream file.
  ///
  /// - Parameters:
  ///   - text: The JSON text.
  ///   - file: The name of the text in diagnostics.
  /// - Throws: All errors in the text, its members and its expressions, with line and column.
  public init(parsing text: String, file: String = "stream.json") throws(Diagnostics) {
    try self.init(parsing: Array(text.utf8), file: file)
  }

  /// Reads a model from the text of a file and checks all of it, including names, types and expressions.
  ///
  /// ```swift
  /// let rules = try StreamModel(checking: downloaded, file: "rules.json")
  /// ```
  ///
  /// - Parameters:
  ///   - text: The text of the file.
  ///   - file: The name of the file for messages.
  ///   - services: The functions and hooks that the model can use. Default none.
  ///   - options: Compile options, with the operators of the app for instance; `services` are added to the host.
  /// - Throws: All errors with lines and columns: those of the JSON and its members, or else those that compiling finds.
  public init(
    checking text: String, file: String = "stream.json", services: HostServices = HostServices(),
    options: CompileOptions = CompileOptions()
  ) throws(Diagnostics) {
    try self.init(parsing: text, file: file)
    _ = try compile(options.adding(services))
  }

  /// Parses the UTF-8 bytes of a stream file.
  public init(parsing bytes: [UInt8], file: String = "stream.json") throws(Diagnostics) {
    let document = try JSONDocument(reading: bytes, file: file)
    self = try StreamFile(document, identity: file).model
    check.document = document
  }
}

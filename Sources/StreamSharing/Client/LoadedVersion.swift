internal import StreamCore
internal import StreamKit

/// A compiled version of a shared stream.
struct LoadedVersion: Sendable {
  /// nil for a fallback that the repository does not offer.
  var number: Int?
  /// Identifies the file and the values of its parameters: see `Publication.identity`.
  let content: String
  let version: StreamVersion
  /// The part that a record keeps; nil for the fallback.
  private var file: File?

  private struct File: Sendable {
    let path: String
    var expires: Int64
    let text: String
    let parameters: [String: Value]
  }

  /// The fallback, which is built into the app.
  init(fallback model: StreamModel, _ options: CompileOptions) throws(Diagnostics) {
    var options = options
    // The values are for the versions of the repository.
    options.parameters = options.parameters.filter { model.parameters[$0.key] != nil }
    options.arguments = options.arguments.filter { model.parameters[$0.key] != nil }
    version = try StreamVersion(model, options)
    // A model without a canonical form equals no file.
    content = (try? JSONWriter.canonical(model.json)).map { JSONDocument.id(of: $0) } ?? "none"
    number = nil
    file = nil
  }

  /// Reads a stream file, checks its content ID, and compiles it.
  ///
  /// - Parameters:
  ///   - content: The content ID that is signed.
  ///   - parameters: The published values of its parameters.
  /// - Throws: The reasons why it cannot run here.
  init(
    _ bytes: [UInt8], at path: String, version number: Int, content: String, parameters: [String: Value],
    expires: Int64, _ options: CompileOptions
  ) throws(Diagnostics) {
    let document = try JSONDocument(reading: bytes, file: path)
    let found = try document.contentID()
    guard found == content else {
      throw Diagnostics([Diagnostic(.invalidIdentifier, "the content ID is \(found); \(content) is signed")])
    }
    version = try Self.compile(StreamFile(document, identity: path), parameters, options)
    self.number = number
    self.content = PublishedParameters.identity(content, parameters)
    file = File(
      path: path, expires: expires, text: String(decoding: bytes, as: UTF8.self), parameters: parameters)
  }

  private static func compile(
    _ stream: StreamFile, _ published: [String: Value], _ options: CompileOptions
  ) throws(Diagnostics) -> StreamVersion {
    var options = options
    for (name, value) in published where options.parameters[name] == nil && options.arguments[name] == nil {
      options.arguments[name] = ParameterArgument(.value(value), origin: "the published value of '\(name)'")
    }
    // A command line also gives initial values to inputs.
    let others = options.arguments.filter { published[$0.key] == nil && stream.model.parameters[$0.key] == nil }
    for name in others.keys { options.arguments[name] = nil }
    let version = try StreamVersion(stream, options)
    for (name, argument) in others.sorted(by: { $0.key < $1.key }) where version.pipeline.input(named: name) == nil {
      throw Diagnostics(
        .invalidArgument, "\(argument.origin): the stream has no parameter or input '\(name)'", help: "remove the value"
      )
    }
    return version
  }

  /// Reads a version of a record.
  ///
  /// - Throws: The reason why it is not used.
  init(_ known: StreamRecord.Version, at now: Int64, _ options: CompileOptions) throws(TrustError) {
    guard known.expires > now else {
      throw TrustError(.expired, known.path, "the cached file has expired")
    }
    do throws(Diagnostics) {
      try self.init(
        Array(known.text.utf8), at: known.path, version: known.number,
        content: PublishedParameters.content(of: known.content), parameters: known.parameters, expires: known.expires,
        options)
    } catch {
      throw TrustError(.mismatch, known.path, "the cached file is not used: \(error.reasons.first ?? "")")
    }
  }

  /// Notes the version number under which the content is offered, and its expiration.
  mutating func confirm(_ number: Int, _ expires: Int64) {
    self.number = number
    file?.expires = expires
  }

  /// The entry of a record; nil for the fallback.
  var entry: StreamRecord.Version? {
    guard let file, let number else { return nil }
    return StreamRecord.Version(
      number: number, content: content, path: file.path, expires: file.expires, text: file.text,
      parameters: file.parameters)
  }
}

extension Diagnostics {
  /// One line for each error, as reports have them: at most 20, of at most 1,000 bytes.
  var reasons: [String] {
    all.filter { $0.severity == .error }.prefix(20).map { diagnostic in
      let place = diagnostic.pointer.tokens.isEmpty ? "" : " at \(diagnostic.pointer)"
      return "\(diagnostic.code.rawValue)\(place): \(diagnostic.message)".limited(to: 1_000)
    }
  }
}

extension String {
  /// The text without what is beyond a number of bytes.
  func limited(to count: Int) -> String {
    guard utf8.count > count else { return self }
    var end = utf8.index(startIndex, offsetBy: count)
    while end.samePosition(in: unicodeScalars) == nil { end = utf8.index(before: end) }
    return String(self[..<end])
  }
}

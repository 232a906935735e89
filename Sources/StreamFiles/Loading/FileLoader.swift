package import StreamCore
package import StreamKit
internal import Synchronization

/// Reads stream files, and those that they name, from the file system; each is read once.
package final class FileLoader: StreamLoader {
  /// Flushes the output before the program waits for a file.
  let flush: (@Sendable () throws(Diagnostic) -> Void)?
  /// Records every text that is opened.
  private let log: SourceLog?
  /// Texts that replace files on disk, by identity: the files open in an editor.
  private let opened: [String: [UInt8]]
  /// The files of the recorded run whose stream is loaded; nil if the user has named the stream file.
  package let recorded: RecordedFiles?
  /// Texts that stand for files which the user names.
  private let texts: NamedTexts?
  /// The files that the command reads and writes.
  let used: UsedFiles
  /// The files that stream files may name.
  private let access: FileAccess
  private let limits = JSONLimits()
  /// Called before a text is parsed, and now and then while a stream is compiled; a returned error ends that.
  private let check: (@Sendable () -> Diagnostic?)?
  private let state = Mutex(State())

  private struct State {
    /// The streams that have been read, by identity.
    var streams: [String: StreamFile] = [:]
    /// Every text that was opened, also those with mistakes: diagnostics point into them.
    var sources: [SourceText] = []
    /// The files' names as the user knows them, by identity.
    var names: [String: String] = [:]
    /// The directories of the files that the user named, without links. Files below them may be read.
    var folders: [String] = []
    /// The identities that were asked for, found or not.
    var wanted: Set<String> = []
    /// The paths of files that others name, also of those that cannot be read.
    var named: Set<String> = []
    /// The paths of the files of values that stream files name.
    var data: Set<String> = []
    /// Whether a file of values may be read ahead, and the thread of the file that is.
    var readingAhead = ReadAheadPolicy.never
    weak var aheadThread: AheadThread?
    var pieceSize = 128 * 1024
    var keepsHash = false
  }

  package init(
    _ access: FileAccess = FileAccess(), flushing flush: (@Sendable () throws(Diagnostic) -> Void)? = nil,
    telling log: SourceLog? = nil,
    opened: [String: [UInt8]] = [:], recorded: RecordedFiles? = nil, texts: NamedTexts? = nil,
    noting used: UsedFiles = UsedFiles(), checking check: (@Sendable () -> Diagnostic?)? = nil
  ) {
    self.used = used
    self.check = check
    self.access = access
    self.flush = flush
    self.log = log
    self.opened = opened
    self.recorded = recorded
    self.texts = texts
    if let folder = recorded?.folder { allowFiles(beside: Path.join(folder, ".")) }
  }

  /// The files that have been asked for by files: identities, or paths that lead nowhere.
  package var wanted: Set<String> { state.withLock { $0.wanted } }

  /// The texts read so far.
  package var sources: [SourceText] { state.withLock { $0.sources } }

  /// The paths of the files that stream files name, whether they can be read or not.
  package var namedPaths: [String] { state.withLock { $0.named.sorted() } }

  /// The paths of the files of values that stream files name, whether they can be read or not.
  package var dataPaths: [String] { state.withLock { $0.data.sorted() } }

  /// Notes the path of a file of values.
  func noteData(_ path: String) { state.withLock { _ = $0.data.insert(path) } }

  /// The streams that have been read.
  package var streams: [StreamFile] { state.withLock { Array($0.streams.values) } }

  /// Lets files of values be read ahead from now on, one at a time.
  ///
  /// - Parameter size: Number of bytes to read at once.
  package func readAhead(_ readingAhead: ReadAheadPolicy, pieces size: Int = 128 * 1024) {
    state.withLock { ($0.readingAhead, $0.pieceSize) = (readingAhead, size) }
  }

  /// Keeps a hash of the content of files of values from now on: positions in them are saved.
  package func keepHashes() { state.withLock { $0.keepsHash = true } }

  var keepsHash: Bool { state.withLock(\.keepsHash) }

  /// Number of bytes to read at once.
  var pieceSize: Int { state.withLock(\.pieceSize) }

  /// The thread that reads a file ahead; nil while another file uses it.
  func takeThread() -> AheadThread? {
    state.withLock { state in
      guard state.aheadThread == nil else { return nil }
      let thread = AheadThread(readingAhead: state.readingAhead)
      state.aheadThread = thread
      return thread
    }
  }

  /// Loads a file that the user named, or that is in a directory the user named; `-` is standard input.
  ///
  /// - Parameter place: The path of the file, if a copy of it is read.
  package func load(_ path: String, belongingAt place: String? = nil) throws(Diagnostics) -> StreamFile {
    let document: JSONDocument
    do throws(Diagnostics) {
      document = try self.document(path)
    } catch {
      throw error.advised(forData: path, nil)
    }
    let identity = if let place { identity(belongingAt: place) } else { try identity(of: path) }
    do throws(Diagnostics) {
      return try keep(document, identity: identity)
    } catch {
      throw error.advised(forData: path, document.value)
    }
  }

  package func load(_ path: String, relativeTo base: String?) throws(Diagnostics) -> StreamFile {
    let name = displayName(of: path, base)
    let place = Self.place(of: path, base)
    state.withLock { _ = $0.named.insert(place) }
    let identity = try identity(ofNamed: place, name: name)
    state.withLock { _ = $0.wanted.insert(identity) }
    if let known = state.withLock({ $0.streams[identity] }) { return known }
    let text = try read(name) { limit throws(Diagnostic) in
      if let text = recorded?.texts[identity] ?? opened[identity] { return text }
      return try FileContents.read(
        try open(named: identity, calling: name), name: name, limit: limit, noting: used)
    }
    return try keep(document(of: text), identity: identity)
  }

  // MARK: Files that stream files name

  /// A path in a stream file as the system takes it.
  static func place(of path: String, _ base: String?) -> String { Path.join(base.map(Path.directory) ?? ".", path) }

  /// Grants access to files below the directory of a file, which need not exist yet.
  ///
  /// An identity that is not an absolute path has no directory and grants nothing: that of an editor's buffer without a
  /// file, or of standard input if the working directory has been deleted.
  package func allowFiles(beside identity: String) {
    guard Path.isAbsolute(identity), let folder = Path.expected(Path.directory(of: identity)) else { return }
    state.withLock { state in
      if !state.folders.contains(folder) { state.folders.append(folder) }
    }
  }

  private var folders: [String] { state.withLock(\.folders) }

  /// Opens a file that a stream file refers to.
  package func open(named place: String, calling name: String) throws(Diagnostic) -> FileDescriptor {
    do throws(Diagnostic) {
      return try access.open(place, calling: recorded == nil ? name : place, orBelow: folders)
    } catch {
      return try openRecorded(place, error)
    }
  }

  /// Refuses a file that stream files may not name, whether or not it exists.
  func check(named place: String, calling name: String) throws(Diagnostic) {
    do throws(Diagnostic) {
      try access.check(place, calling: recorded == nil ? name : place, orBelow: folders)
    } catch {
      try openRecorded(place, error).close()
    }
  }

  /// Opens a file of a recorded run that cannot be opened at its place.
  private func openRecorded(_ place: String, _ problem: Diagnostic) throws(Diagnostic) -> FileDescriptor {
    guard let recorded else { throw problem }
    if access.allowsUnchanged, let file = recorded.openUnchanged(place) { return file }
    if let moved = recorded.moved(place), let file = try? access.open(moved, calling: moved, orBelow: folders) {
      return file
    }
    throw access.allowsUnchanged ? recorded.explaining(problem) : problem
  }

  /// The path without links of a file that a stream file names; nil if the file cannot be read or is not granted.
  package func realPath(of path: String, relativeTo base: String) -> String? {
    try? access.realPath(of: Self.place(of: path, base), calling: path, orBelow: folders)
  }

  private func identity(ofNamed place: String, name: String) throws(Diagnostics) -> String {
    if let known = recorded?.place(of: place) { return known }
    do throws(Diagnostic) {
      if opened[place] != nil {
        // It may be a file that is not on the disk yet.
        try check(named: place, calling: name)
        return place
      }
      return try access.realPath(of: place, calling: name, orBelow: folders)
    } catch {
      state.withLock { _ = $0.wanted.insert(place) }
      throw Diagnostics([error])
    }
  }

  /// The JSON of a file, or of standard input, that need not be a stream file.
  ///
  /// - Parameter name: its name in diagnostics. Default its path.
  package func document(_ path: String, calling name: String? = nil) throws(Diagnostics) -> JSONDocument {
    if let texts, let text = texts.shortForms[path] {
      return try ShortForm.document(
        of: try read(path) { _ throws(Diagnostic) in text }, declaring: texts.parameters)
    }
    return try document(of: text(of: path, calling: name))
  }

  /// Parses a text as JSON.
  package func document(of text: SourceText) throws(Diagnostics) -> JSONDocument {
    if let problem = check?() { throw Diagnostics([problem]) }
    return try JSONDocument(reading: text.bytes, file: text.file, limits: limits)
  }

  /// The options for compiling a stream whose files this loader reads.
  package func options(host: StreamHost = .any) -> CompileOptions {
    var options = CompileOptions(loader: self, files: self, host: host)
    options.check = check
    return options
  }

  /// The text of a file, or of standard input, that need not be JSON.
  ///
  /// - Parameter name: its name in diagnostics. Default its path.
  package func text(of path: String, calling name: String? = nil) throws(Diagnostics) -> SourceText {
    if path == StandardInput.argument {
      return try read(StandardInput.name) { limit throws(Diagnostic) in
        try FileContents.readStandardInput(limit: limit, noting: used)
      }
    }
    let name = name ?? path
    if let text = texts?[path] { return try read(name) { _ throws(Diagnostic) in text } }
    return try read(name) { limit throws(Diagnostic) in
      guard access.isFound(path) else {
        return try FileContents.read(path, name: name, limit: limit, noting: used)
      }
      // A link in a directory may lead out of it.
      let file = try access.ofFound.open(path, calling: name, orBelow: [])
      return try FileContents.read(file, name: name, limit: limit, noting: used)
    }
  }

  private func read(
    _ name: String, _ contents: (Int) throws(Diagnostic) -> [UInt8]
  ) throws(Diagnostics) -> SourceText {
    let bytes = try Diagnostics.listing { () throws(Diagnostic) in try contents(limits.bytes) }
    let source = SourceText(file: name, bytes: bytes)
    state.withLock { $0.sources.append(source) }
    log?.add(source)
    return source
  }

  /// The identity of a file that the user named, which no other file has. Grants the files below its directory.
  ///
  /// The directory of a file that comes through a pipe is the working directory.
  package func identity(of path: String) throws(Diagnostics) -> String {
    // A text is in no directory.
    if texts?[path] != nil { return "<\(path)>" }
    if texts?.shortForms[path] != nil {
      // The paths in it are relative to the working directory.
      let identity = Path.absolute("<\(path)>")
      allowFiles(beside: identity)
      return identity
    }
    let identity: String
    if access.isFound(path) {
      do throws(Diagnostic) {
        identity = try access.ofFound.realPath(of: path, calling: path, orBelow: [])
      } catch {
        throw Diagnostics([error])
      }
      allowFiles(beside: identity)
      return identity
    }
    do throws(SystemError) {
      if path == StandardInput.argument {
        identity = Path.absolute(StandardInput.name)
      } else if try FileStatus(path).kind == .stream, (try? Path.real(path)) == nil {
        // Its name is in a directory of the system; the paths in it are relative to the working directory.
        let name = "<\(Path.name(of: path))>"
        identity = Path.absolute(name)
        state.withLock { $0.names[identity] = name }
      } else {
        identity = try Path.real(path)
      }
    } catch {
      state.withLock { _ = $0.wanted.insert(path) }
      throw Diagnostics([error.diagnostic(reading: path)])
    }
    allowFiles(beside: identity)
    return identity
  }

  /// Returns the identity of a file that is read as a copy, such as those git creates; the file itself need not exist.
  /// Grants access to files below its directory, unless a recording names it.
  package func identity(belongingAt place: String) -> String {
    let identity = Path.absolute(place)
    if recorded == nil { allowFiles(beside: identity) }
    return identity
  }

  private func keep(_ document: JSONDocument, identity: String) throws(Diagnostics) -> StreamFile {
    let stream = try StreamFile(document, identity: identity)
    state.withLock { state in
      state.streams[identity] = stream
      if state.names[identity] == nil { state.names[identity] = document.file }
    }
    return stream
  }

  /// The path as seen from the working directory, through the names that the user knows.
  func displayName(of path: String, _ base: String?) -> String {
    guard let base else { return path }
    let name = state.withLock { $0.names[base] } ?? base
    return Path.join(Path.directory(of: name), path)
  }
}

internal import StreamConsole
internal import StreamCore
internal import StreamDriving
internal import StreamFiles
internal import StreamKit
internal import StreamSharing

/// The check of a stream file before its publication: it is valid, its tests pass, and it needs no other file.
struct PublicationCheck {
  /// The report of the tests, and of the problems if the file is wrong.
  let report: TestReport
  /// The file, ready to be published; nil if it is refused.
  let draft: Draft?
  /// Whether the tests cannot run, since the file requires functions or operators of an app.
  private(set) var untestable = false
  /// The names of the parameters without a value, which each client has to give.
  private(set) var openParameters: [String] = []

  /// - Parameters:
  ///   - name: The name to publish it under.
  ///   - bytes: The file.
  ///   - file: Its name in messages.
  ///   - arguments: The values of its parameters. The tests keep the defaults; only a parameter without one has the
  ///     published value in them.
  ///   - bounds: The bounds of all tests together; nil for none.
  init(
    _ name: StreamName, _ bytes: [UInt8], file: String, arguments: CompileArguments = CompileArguments(),
    within bounds: TestBounds? = nil
  ) {
    var access = FileAccess(isAllowed: false)
    access.refusal = "a published file cannot refer to others, since clients have only this one"
    let texts = NamedTexts([file: bytes])
    func loader() -> FileLoader {
      FileLoader(access, texts: texts, checking: CompileBound().check)
    }
    // A file that cannot be read is refused by its tests, and so are names that it lacks.
    let model = try? StreamModel(parsing: bytes, file: file)
    var needed = arguments
    needed.parameters = arguments.parameters.filter { name, _ in model?.parameters[name]?.defaultValue == nil }
    var tested = TestWork(
      access: access, arguments: needed, memory: .standardMemoryFromNow, texts: texts, bounds: bounds
    ).report(of: file)
    if tested.problems.all.contains(where: { $0.code == .notRegistered }) {
      // The tests need functions of the app, which this program does not have. The file is checked all the same.
      tested.problems = Self.problems(of: file, arguments, loader())
      untestable = true
    } else if !tested.problems.hasErrors, !arguments.parameters.isEmpty {
      tested.problems.append(contentsOf: Self.problems(of: file, arguments, loader()))
    }
    var draft: Draft?
    do throws(Diagnostics) {
      draft = try Draft(name, bytes, file: file)
      if let model {
        draft?.parameters = model.values(differingIn: arguments.parameters)
        openParameters = model.parameters.names.filter { name in
          model.parameters[name]?.defaultValue == nil && arguments.parameters[name] == nil
        }
      }
    } catch {
      if !tested.problems.hasErrors { tested.problems.append(contentsOf: error) }
    }
    report = TestReport(files: [tested])
    self.draft = report.isWrong || report.count(.failed) > 0 ? nil : draft
  }

  /// Prints the problems, or else the outcome of the tests.
  func print(on console: Console) {
    let printer = TestPrinter(format: .text, isVerbose: false, console: console)
    if report.isWrong { printer.tell(report) } else { printer.print(report) }
  }

  /// The problems of a file for a host that provides every function.
  private static func problems(
    of file: String, _ arguments: CompileArguments, _ loader: FileLoader
  ) -> Diagnostics {
    do throws(Diagnostics) {
      let stream = try loader.load(file)
      try stream.validate(arguments.options(for: stream.model, loader))
      return Diagnostics()
    } catch {
      return error
    }
  }
}

#if Sharing
internal import StreamCommands
internal import StreamCore
internal import StreamDriving
internal import StreamSharing

/// The check of a stream file before its publication: it is valid, its tests pass, and it needs no other file.
struct PublicationCheck {
  /// The report of the tests, and of the problems if the file is wrong.
  let report: TestReport
  /// The file, ready to be published; nil if it is refused.
  let draft: Draft?

  /// - Parameters:
  ///   - name: The name to publish it under.
  ///   - bytes: The file.
  ///   - file: Its name in messages.
  init(_ name: StreamName, _ bytes: [UInt8], file: String) {
    // A published file cannot refer to others: clients would look for them beside it.
    let work = TestWork(access: FileAccess(isAllowed: false), texts: NamedTexts([file: bytes]))
    var tested = work.report(of: file)
    var draft: Draft?
    do throws(Diagnostics) {
      draft = try Draft(name, bytes, file: file)
    } catch {
      if tested.problems.isEmpty { tested.problems = error }
    }
    report = TestReport(files: [tested])
    self.draft = report.isWrong || report.count(.failed) > 0 ? nil : draft
  }
}
#endif

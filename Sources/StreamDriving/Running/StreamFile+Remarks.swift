package import StreamCore
package import StreamFiles
package import StreamKit

extension StreamFile {
  /// Returns the warnings about a stream that compiles, with their locations; none about one that does not.
  ///
  /// - Parameter loader: The loader of the file, which reads the files that it refers to.
  package func remarks(_ loader: FileLoader) -> [Diagnostic] {
    var options = CompileOptions(loader: loader, files: loader, host: .any)
    let remarks = RemarkLog()
    options.remarks = remarks
    guard (try? compile(options)) != nil else { return [] }
    return remarks.all.map(FailureExplanation(stream: self, loader: loader).locate)
  }
}

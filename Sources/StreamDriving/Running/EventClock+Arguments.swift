internal import CEL
package import StreamCore
package import StreamKit

extension EventClock {
  /// Creates the clock from an argument, or from the partition of the stream file; nil without either.
  /// Prints the warnings about an argument; compiling the stream reports the warnings about the partition.
  ///
  /// - Throws: The errors in the expression, with locations that the console can show.
  package init?(_ text: String?, of stream: StreamFile, _ console: Console) throws(Diagnostics) {
    let argument = text
    guard let text = text ?? stream.model.partition?.time?.text else { return nil }
    console.remember(SourceText(file: Self.file, text: text))
    try self.init(text)
    if argument != nil { console.reportOnce(remarks) }
  }
}

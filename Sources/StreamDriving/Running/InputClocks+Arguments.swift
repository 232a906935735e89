internal import CEL
package import StreamCore
package import StreamEngine
package import StreamKit

extension InputClocks {
  /// Creates the clocks of a stream's inputs from the arguments, and from what the stream file says.
  /// Prints the warnings about an argument; compiling the stream reports the warnings about the file.
  ///
  /// - Throws: The errors in the expressions, with locations that the console can show.
  package init(_ request: EventTimeRequest, of pipeline: Pipeline, _ console: Console) throws(Diagnostics) {
    if let text = request.expression { console.remember(SourceText(file: EventClock.file, text: text)) }
    try self.init(of: pipeline, request)
    if let option = request.firstDetail, isEmpty {
      throw Diagnostics(
        .invalidArgument, "\(option) needs the time of values, and no input of the stream has one",
        help: "write --event-time EXPRESSION, or \"time\" at the input in the file")
    }
    if request.expression != nil, let clock = all.first { console.reportOnce(clock.reader.remarks) }
  }
}

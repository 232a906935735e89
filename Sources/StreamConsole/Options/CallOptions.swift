internal import ArgumentParser
package import StreamDriving

/// The options for answering the calls of a stream.
package struct CallOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      """
      Uses a program or an address to answer the calls of a function: --call geo='python3 -u geo.py', --call \
      geo=https://example.com/geo. A program reads one request per line, {"id", "argument"}, and prints one reply per \
      line, {"id", "value"} or {"id", "failure"}, in any order. To an address, curl posts the argument as JSON; the \
      response is the value.
      """, valueName: "name=command"))
  var call: [NamedArgument] = []

  @Option(
    help: ArgumentHelp(
      """
      Adds a line to the header of each request to an address: --call-header geo='Authorization: Bearer TOKEN'. With \
      geo=@FILE, the lines of a file.
      """, valueName: "name=line"))
  var callHeader: [NamedArgument] = []

  @Option(
    help: ArgumentHelp("Maximum number of calls of a function that are asked at the same time.", valueName: "count"))
  var callLimit = 64

  @Option(
    help: ArgumentHelp(
      "Longest wait for an answer; the call fails after it. Default 30 for an address, no limit for a program.",
      valueName: "seconds"))
  var callTimeout: Double?

  package init() {}

  package func validate() throws {
    if callLimit < 1 { throw ValidationError("--call-limit is \(callLimit); expected 1 call or more") }
    if let callTimeout, !(callTimeout > 0 && callTimeout <= 1e6) {
      throw ValidationError("--call-timeout is \(callTimeout); expected seconds above 0, at most 1000000")
    }
    if call.isEmpty, !callHeader.isEmpty || callLimit != 64 || callTimeout != nil {
      throw ValidationError("--call-header, --call-limit and --call-timeout need --call NAME='COMMAND'")
    }
  }

  package var request: CallRequest {
    var request = CallRequest()
    (request.answers, request.headers, request.limit, request.timeout) = (call, callHeader, callLimit, callTimeout)
    return request
  }
}

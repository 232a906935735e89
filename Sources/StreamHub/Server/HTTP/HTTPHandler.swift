internal import Dispatch

/// Decides what a server responds with. All methods are called on the thread of the server, and return at once.
protocol HTTPHandler: Sendable {
  /// Checks the head of a request before its body is read.
  ///
  /// - Parameter peer: The address of the client.
  func screen(_ head: HTTPRequestHead, peer: String) -> Screening

  /// The response to a request that cannot be read.
  func response(to failure: HTTPFailure) -> HTTPResponse
}

/// The decision about a request whose body has not been read.
enum Screening {
  case refused(HTTPResponse)
  /// The body is read if it has at most this number of bytes.
  case accepted(bodyLimit: Int, respond: (HTTPRequest) -> Answer)
}

/// The outcome of a request.
enum Answer: Sendable {
  case now(HTTPResponse)
  /// The response of work that takes longer, or waits for files.
  case later(DispatchQueue, @Sendable () -> HTTPResponse)
}

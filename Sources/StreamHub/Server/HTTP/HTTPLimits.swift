/// Bounds of requests and connections.
struct HTTPLimits: Sendable {
  /// Maximum length of the request line and the header, in bytes.
  var headBytes = 16 * 1024
  /// Maximum length of the target, in bytes.
  var targetBytes = 8 * 1024
  /// Maximum number of header fields.
  var fieldCount = 100
  /// Maximum number of connections.
  var connections = 16_384
  /// Time until a head has to be complete, in milliseconds.
  var headMilliseconds: Int64 = 10_000
  /// Time until a body has to be complete, in milliseconds.
  var bodyMilliseconds: Int64 = 30_000
  /// Time that a connection may wait for its next request, in milliseconds.
  var idleMilliseconds: Int64 = 60_000
  /// Time in which a response has to be read, in milliseconds, in addition to 1 second for every 16 KiB.
  var responseMilliseconds: Int64 = 30_000
  /// Time that a client has to read a response that was sent before its request was read, in milliseconds.
  var lingerMilliseconds: Int64 = 2_000
  /// Time between two searches for connections whose time is over, in milliseconds.
  var tickMilliseconds: Int64 = 1_000
  /// Time between two comments in a stream of events, in milliseconds.
  var heartbeatMilliseconds: Int64 = 15_000
  /// Maximum number of events that a reader of events may lag behind.
  var eventLag = 1_024
  /// Time that requests and readers of events have to finish when the server stops, in milliseconds.
  var stopMilliseconds: Int64 = 5_000

  init() {}
}

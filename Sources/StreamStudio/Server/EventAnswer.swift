internal import HTTPTypes
internal import Hummingbird
internal import StreamCore

/// An event for the page.
struct PageEvent: Sendable {
  let name: String
  let value: Value

  /// The event as a server sends it (WHATWG HTML, server-sent events).
  var text: String { "event: \(name)\ndata: \(JSONWriter.compact(value))\n\n" }
}

/// Events as a response without an end.
enum EventAnswer {
  static func response(_ events: AsyncStream<PageEvent>) -> Response {
    var headers = PageFiles.headers
    headers[.contentType] = "text/event-stream"
    headers[.cacheControl] = "no-store"
    return Response(
      status: .ok, headers: headers,
      body: ResponseBody { writer in
        try await writer.write(ByteBuffer(string: ": \n\n"))
        for await event in events { try await writer.write(ByteBuffer(string: event.text)) }
        try await writer.finish(nil)
      })
  }
}

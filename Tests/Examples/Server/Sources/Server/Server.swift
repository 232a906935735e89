import Foundation
import Hummingbird
import StreamKit

/// A web server whose rules are stream files: orders are priced by one, live prices are computed by the other.
///
///     POST /orders   an order; answers with its priced lines (`orders.json`)
///     GET  /prices   the prices from now on, as server-sent events (`prices.json`)
///     POST /ticks    an array of trades, which the prices are computed from
///     PUT  /rules    replaces `prices.json` while it runs
///     GET  /status   the number of clients and of runs
@main struct Server {
  static func main() async throws {
    let port = CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 8080
    let orders = try OrderDesk(rules: model("orders"))
    let prices = try PriceBoard(rules: model("prices"))
    let app = Application(
      router: router(orders, prices),
      configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: port)))
    try await app.runService()
  }

  static func model(_ name: String) throws -> StreamModel {
    guard let file = Bundle.module.url(forResource: name, withExtension: "json", subdirectory: "Streams") else {
      preconditionFailure("there is no file \(name).json")
    }
    return try StreamModel(parsing: String(contentsOf: file, encoding: .utf8), file: file.lastPathComponent)
  }

  static func router(_ orders: OrderDesk, _ prices: PriceBoard) -> Router<BasicRequestContext> {
    let router = Router()

    router.post("orders") { request, context in
      let order = try await request.decode(as: Order.self, context: context)
      var lines: [OrderDesk.Line] = []
      for try await line in try orders.lines(of: order) { lines.append(line) }
      return lines
    }

    router.get("prices") { request, _ in
      Response(
        status: .ok, headers: [.contentType: "text/event-stream"],
        body: ResponseBody { writer in
          // Ends the loop, and with it the subscription, as soon as the client disconnects.
          try await request.body.consumeWithCancellationOnInboundClose { _ in
            try await prices.send { event in try await writer.write(ByteBuffer(string: event)) }
          }
          try await writer.finish(nil)
        })
    }

    router.post("ticks") { request, context -> HTTPResponse.Status in
      for tick in try await request.decode(as: [Tick].self, context: context) { prices.ticks.send(tick) }
      return .accepted
    }

    router.put("rules") { request, _ -> String in
      let body = try await request.body.collect(upTo: 100_000)
      return try await prices.follow(StreamModel(parsing: String(buffer: body), file: "rules.json")) + "\n"
    }

    router.get("status") { _, _ in ["clients": prices.clients.value, "runs": orders.runs.value] }
    return router
  }
}

internal import Foundation
internal import HTTPTypes
internal import Hummingbird
internal import StreamCore
internal import StreamFiles
internal import StreamTools

/// The files of the page.
struct PageFiles: Sendable {
  private let root: String

  init() { root = Path.join(Bundle.module.resourcePath ?? ".", "Page") }

  private static let types = [
    "html": "text/html; charset=utf-8", "css": "text/css; charset=utf-8", "js": "text/javascript; charset=utf-8",
    "svg": "image/svg+xml", "png": "image/png", "json": "application/json",
  ]

  /// The page loads nothing from another host, and no code but its own modules.
  private static let policy =
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; "
    + "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

  static let headers: HTTPFields = {
    var headers: HTTPFields = [
      .contentSecurityPolicy: policy, .xContentTypeOptions: "nosniff", .cacheControl: "no-cache",
    ]
    let others = [
      ("Referrer-Policy", "no-referrer"), ("Cross-Origin-Opener-Policy", "same-origin"),
      ("Cross-Origin-Resource-Policy", "same-origin"),
    ]
    for (name, value) in others {
      if let name = HTTPField.Name(name) { headers[name] = value }
    }
    return headers
  }()

  /// Returns a file of the page; nil if there is none.
  func file(_ path: String) -> Response? {
    let path = path == "/" ? "/index.html" : path
    let names = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
    guard !names.contains(where: { $0.isEmpty || $0.hasPrefix(".") }),
      let type = names.last?.split(separator: ".").last.flatMap({ Self.types[String($0)] })
    else { return nil }
    let bytes: [UInt8]?
    if names.first == "player" {
      bytes = RunPage.file(named: names.dropFirst().joined(separator: "/"))
    } else {
      bytes = try? FileContents.read(
        Path.join(root, names.joined(separator: "/")), name: path, limit: 16 * 1024 * 1024, noting: UsedFiles())
    }
    guard let bytes else { return nil }
    var headers = Self.headers
    headers[.contentType] = type
    return Response(status: .ok, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes)))
  }
}

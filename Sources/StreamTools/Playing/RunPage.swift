package import StreamCore

/// A run as one HTML file that needs no server: its tracks can be scrubbed and its events followed to their causes.
package struct RunPage {
  private let title: String
  private let run: Value

  /// - Parameter run: `TimelineDiagram.pageValue`.
  package init(title: String, run: Value) {
    self.title = title
    self.run = run
  }

  /// The files of the player, which pages of a server load.
  ///
  /// - Returns: nil if there is no such file.
  package static func file(named name: String) -> [UInt8]? {
    switch name {
    case "player.js": PackageResources.player_js
    case "player.css": PackageResources.player_css
    default: nil
    }
  }

  /// The page.
  package var html: String {
    """
    <!doctype html>
    <html lang="en">
    <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="generator" content="streamrun">
    <title>\(VisibleText.markup(title))</title>
    <style>
    \(String(decoding: PackageResources.player_css, as: UTF8.self))
    </style>
    </head>
    <body class="player-page">
    <main id="player" aria-label="\(VisibleText.markup(title))"></main>
    <script type="application/json" id="run">\(Self.inScript(VisibleText.json(JSONWriter.compact(run))))</script>
    <script type="module">
    \(String(decoding: PackageResources.player_js, as: UTF8.self))
    </script>
    </body>
    </html>

    """
  }

  /// JSON that cannot end the element around it.
  private static func inScript(_ json: String) -> String {
    var bytes: [UInt8] = []
    for byte in json.utf8 {
      if byte == UInt8(ascii: "<") { bytes += Array("\\u003c".utf8) } else { bytes.append(byte) }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}

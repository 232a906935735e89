internal import StreamCore

/// Writes a picture as SVG: shapes with classes, whose colors suit a light and a dark page.
struct SVGWriter {
  private var lines: [String] = []
  /// Width of a character of the font, in pixels.
  static let characterWidth = 7.9
  /// Width of a character of the small font, in pixels.
  static let smallCharacterWidth = 6.7

  /// Returns the width of a text in pixels.
  static func width(of text: String, isSmall: Bool = false) -> Int {
    Int((Double(text.columns) * (isSmall ? smallCharacterWidth : characterWidth)).rounded(.up))
  }

  mutating func line(_ x1: Int, _ y1: Int, _ x2: Int, _ y2: Int, _ style: String) {
    lines.append(#"<line x1="\#(x1)" y1="\#(y1)" x2="\#(x2)" y2="\#(y2)" class="\#(style)"/>"#)
  }

  mutating func path(_ data: String, _ style: String) {
    lines.append(#"<path d="\#(data)" class="\#(style)"/>"#)
  }

  mutating func box(_ x: Int, _ y: Int, _ width: Int, _ height: Int, radius: Int, _ style: String) {
    lines.append(
      #"<rect x="\#(x)" y="\#(y)" width="\#(width)" height="\#(height)" rx="\#(radius)" class="\#(style)"/>"#)
  }

  /// - Parameter anchor: The end of the text that is at `x`.
  mutating func text(_ text: String, _ x: Int, _ y: Int, _ style: String, anchor: Anchor = .start) {
    lines.append(
      #"<text x="\#(x)" y="\#(y)" class="\#(style)" text-anchor="\#(anchor.rawValue)">\#(VisibleText.markup(text))</text>"#
    )
  }

  enum Anchor: String {
    case start, middle, end
  }

  /// The head of an arrow that points to the right, or down, with its tip there.
  mutating func arrowHead(_ x: Int, _ y: Int, pointsDown: Bool = false, _ style: String) {
    path(
      pointsDown
        ? "M\(x - 5) \(y - 9)L\(x) \(y)L\(x + 5) \(y - 9)Z" : "M\(x - 9) \(y - 5)L\(x) \(y)L\(x - 9) \(y + 5)Z",
      style)
  }

  /// Returns the whole document.
  ///
  /// - Parameter title: A description of the picture for screen readers.
  func document(width: Int, height: Int, title: String) -> String {
    let head = """
      <svg xmlns="http://www.w3.org/2000/svg" width="\(width)" height="\(height)" viewBox="0 0 \(width) \(height)" role="img">
      <title>\(VisibleText.markup(title))</title>
      <style>
      \(Self.style)
      </style>
      """
    return ([head] + lines + ["</svg>"]).joined(separator: "\n") + "\n"
  }

  private static let style = """
    text { font: 13px ui-monospace, Menlo, Consolas, "DejaVu Sans Mono", monospace; fill: #57606a; }
    .title { font-weight: bold; fill: #424a53; }
    .small { font-size: 11px; }
    .on { fill: #ffffff; }
    .time { stroke: #8c959f; stroke-width: 1.5; fill: none; }
    .broken { stroke: #8c959f; stroke-width: 1.5; stroke-dasharray: 2 5; fill: none; }
    .dashed { stroke: #8c959f; stroke-width: 1.5; stroke-dasharray: 6 4; fill: none; }
    .head { fill: #8c959f; }
    .axis { stroke: #8c959f; stroke-opacity: 0.35; }
    .end { stroke: #6e7781; stroke-width: 3; stroke-linecap: round; }
    .failure { stroke: #d1333f; stroke-width: 3.5; stroke-linecap: round; fill: none; }
    .instant { fill: #8c959f; fill-opacity: 0.22; }
    .number { fill: #2f6fd0; }
    .string { fill: #23804a; }
    .truth { fill: #b3570f; }
    .list { fill: #8250c8; }
    .object { fill: #0b7c8c; }
    .other { fill: #6e7781; }
    .node { fill: #8c959f; fill-opacity: 0.13; stroke: #8c959f; stroke-width: 1.2; }
    .input { fill: #2f6fd0; fill-opacity: 0.16; stroke: #2f6fd0; stroke-width: 1.4; }
    .source { fill: #0b7c8c; fill-opacity: 0.14; stroke: #0b7c8c; stroke-width: 1.4; }
    .stream { fill: #8250c8; fill-opacity: 0.14; stroke: #8250c8; stroke-width: 1.4; }
    .output { fill: #23804a; fill-opacity: 0.16; stroke: #23804a; stroke-width: 1.4; }
    @media (prefers-color-scheme: dark) {
    text { fill: #b1bac4; }
    .title { fill: #d0d7de; }
    .on { fill: #ffffff; }
    .end { stroke: #b1bac4; }
    }
    """
}

import StreamTesting
import Testing

@testable @_spi(Engine) import StreamCore

/// Plain fields: those that a row passes over are those that it reads.
@Suite("Scanning plain fields")
struct LineScannerTests {
  @Test("A number that is passed is read, and has the value of its text")
  func numbers() {
    var random = SeededGenerator(seed: 7)
    func digits(_ count: Int) -> String { String((0..<count).map { _ in Character("\(random.below(10))") }) }
    for whole in 0...17 {
      for scale in 0...17 {
        for (sign, rest) in [("", ""), ("-", ""), ("", ",5.25\n"), ("-", ".\n"), ("", "\t0"), ("-", "e1")] {
          let text = sign + digits(whole) + (scale > 0 ? "." + digits(scale) : "")
          PaddedBytes.with(Array((text + rest).utf8)) { line in
            var cell = FieldCell(.missing, 0)
            let passed = JSONLineScanner.Number(line.base)?.end
            let read = JSONLineScanner.readNumber(line.base, line.base[0], into: &cell)
            #expect(read == passed, "\(text)\(rest)")
            guard read == line.base + text.utf8.count else { return }
            if case .int = cell.kind { #expect(Int64(text) == cell.bits, "\(text)") }
            if case .double = cell.kind { #expect(cell.number == Double(text), "\(text)") }
          }
        }
      }
    }
  }
}

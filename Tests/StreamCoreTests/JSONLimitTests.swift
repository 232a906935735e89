@_spi(Engine) import StreamCore
import Testing

@Suite("Hostile JSON")
struct JSONLimitTests {
  @Test("A string may be as deep as the limit and no deeper")
  func limitsDepth() {
    for depth in [1, 2, 512] {
      let limits = JSONLimits(depth: depth)
      let good = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
      let fits = read(bytes: Array(good.utf8), limits: limits).failure
      #expect(fits == nil)
      let tooDeep = read(bytes: Array(("[" + good + "]").utf8), limits: limits).failure
      #expect(tooDeep?.code == .tooDeep)
      #expect(tooDeep?.offset == depth)
    }
  }

  @Test("The greatest depth is 10,000, the least 1")
  func clampsDepth() {
    var limits = JSONLimits(depth: 1_000_000)
    #expect(limits.depth == 10_000)
    limits.depth = 0
    #expect(limits.depth == 1)
    limits.depth = 20_000
    #expect(limits.depth == 10_000)
  }

  @Test("A string beyond the limit of bytes is refused unread")
  func limitsBytes() {
    let error = read(bytes: Array("[1, 2]".utf8), limits: JSONLimits(depth: 10, bytes: 5)).failure
    #expect(error?.code == .tooLarge)
    let exact = read(bytes: Array("[1,2]".utf8), limits: JSONLimits(depth: 10, bytes: 5)).failure
    #expect(exact == nil)
  }

  @Test("A million brackets on a small stack are an error, not a crash")
  func survivesDepthBombs() {
    var codes: [DiagnosticCode?] = []
    let isDone = DeepStack.onThread(stackBytes: 512 * 1024) {
      for opening in ["[", "{\"a\":", "[{\"a\":["] {
        let bytes = Array(String(repeating: opening, count: 1_000_000).utf8)
        codes.append(read(bytes: bytes, limits: JSONLimits(depth: 10_000)).failure?.code)
        do throws(Diagnostics) {
          _ = try JSONDocument(reading: bytes, file: "bomb", limits: JSONLimits(depth: 10_000))
        } catch {
          codes.append(error.all.first?.code)
        }
      }
    }
    #expect(isDone)
    #expect(codes == Array(repeating: .tooDeep, count: 6))
  }

  @Test("At most 101 of many duplicate keys are reported, on one line of any length")
  func survivesManyDuplicates() throws {
    let text = "{" + String(repeating: "\"a\":1,", count: 20_000) + "\"b\":2}"
    let all = problems(text)
    #expect(all.count == 101)
    let last = try #require(all.last)
    let lines = DiagnosticPrinter().text(last, source: SourceText(file: "test.json", text: text)).split(separator: "\n")
    #expect(lines.allSatisfy { $0.count < 120 })
  }

  @Test("A string cut off at any byte is an error, not a crash")
  func survivesTruncation() {
    let text = #"{"a":[1,-2.5e+3,true,null,"é\n\uD83D\uDE00"],"b":{"c":{},"d":[[]]},"😀":"x"}"#
    let bytes = Array(text.utf8)
    for count in 0..<bytes.count {
      let cut = Array(bytes.prefix(count))
      let fromReader = read(bytes: cut).failure
      let fromDocument = document(cut).failure
      #expect(fromReader != nil)
      #expect(fromReader?.code == fromDocument?.all.first?.code)
    }
  }

  @Test("A string with any byte changed is read alike by both readers, without a crash")
  func survivesChangedBytes() {
    let bytes = Array(#"{"a":[1,-2.5e+3,true],"b":{"c":"é\n\uD83D\uDE00"}}"#.utf8)
    for place in bytes.indices {
      for byte in UInt8.min...UInt8.max {
        var changed = bytes
        changed[place] = byte
        let fromReader = read(bytes: changed)
        let fromDocument = document(changed)
        #expect(fromReader.failure?.code == fromDocument.failure?.all.first?.code)
      }
    }
  }
}

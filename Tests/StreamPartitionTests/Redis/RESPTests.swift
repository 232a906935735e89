import Testing

@testable import StreamPartition

@Suite struct RESPTests {
  /// The bytes of a reply, and its value.
  static let replies: [(String, RESPValue)] = [
    ("+OK\r\n", .simple(Array("OK".utf8))),
    ("-WRONGTYPE bad\r\n", .error(Array("WRONGTYPE bad".utf8))),
    ("!9\r\nERR a\r\nbc\r\n", .error(Array("ERR a\r\nbc".utf8))),
    (":0\r\n", .number(0)),
    (":-9223372036854775808\r\n", .number(.min)),
    (":+9223372036854775807\r\n", .number(.max)),
    ("$0\r\n\r\n", .blob([])),
    ("$4\r\na\r\nb\r\n", .blob(Array("a\r\nb".utf8))),
    ("$-1\r\n", .null),
    ("*-1\r\n", .null),
    ("_\r\n", .null),
    (",1.5e3\r\n", .double(1500)),
    (",-inf\r\n", .double(-.infinity)),
    (",inf\r\n", .double(.infinity)),
    ("#t\r\n", .boolean(true)),
    ("#f\r\n", .boolean(false)),
    (
      "(-3492890328409238509324850943850943825024385\r\n",
      .bigNumber(Array("-3492890328409238509324850943850943825024385".utf8))
    ),
    ("=7\r\ntxt:abc\r\n", .verbatim(Array("txt:abc".utf8))),
    ("*0\r\n", .array([])),
    ("*2\r\n:1\r\n*1\r\n$1\r\nx\r\n", .array([.number(1), .array([.blob([120])])])),
    ("~2\r\n+a\r\n+b\r\n", .set([.simple([97]), .simple([98])])),
    ("%1\r\n+k\r\n*0\r\n", .map([.simple([107]), .array([])])),
    (">1\r\n+m\r\n", .push([.simple([109])])),
    ("|1\r\n+ttl\r\n:5\r\n:7\r\n", .number(7)),
    ("*2\r\n|0\r\n:1\r\n|1\r\n+a\r\n*1\r\n:9\r\n:2\r\n", .array([.number(1), .number(2)])),
  ]

  @Test("Every type is read, at once and byte by byte", arguments: replies)
  func reads(_ bytes: String, _ value: RESPValue) throws {
    var whole = RESPReader()
    whole.append(Array((bytes + bytes).utf8))
    #expect(try whole.next() == value)
    #expect(try whole.next() == value)
    #expect(try whole.next() == nil)
    #expect(whole.isEmpty)

    var slow = RESPReader()
    for byte in bytes.utf8.dropLast() {
      slow.append([byte])
      #expect(try slow.next() == nil)
    }
    slow.append(Array(bytes.utf8.suffix(1)))
    #expect(try slow.next() == value)
  }

  @Test("NaN is read") func readsNaN() throws {
    var reader = RESPReader()
    reader.append(Array(",nan\r\n".utf8))
    guard case .double(let number) = try reader.next() else { throw Failed("no double") }
    #expect(number.isNaN)
  }

  @Test(
    "Damaged replies are refused",
    arguments: [
      "?\r\n", "\r\n", ":\r\n", ":1x\r\n", ":9223372036854775808\r\n", "$-2\r\n", "$536870913\r\n", "$1\r\nab\r\n",
      "*-2\r\n",
      "*16777217\r\n", "*9999999999999999999999\r\n", "#x\r\n", "_x\r\n", ",0x1p3\r\n", ",\r\n", "(1a\r\n",
      "=2\r\nab\r\n",
      "+a\rb\r\n", "%9000000\r\n", "$?\r\n", "*2\r\n*16777215\r\n",
    ])
  func refuses(_ bytes: String) {
    var reader = RESPReader()
    reader.append(Array(bytes.utf8))
    for _ in 0..<2 {
      let error = #expect(throws: RedisError.self) { while try reader.next() != nil {} }
      guard case .malformed = error else {
        Issue.record("\(String(describing: error))")
        return
      }
    }
  }

  @Test("Depth, lines and whole replies are bounded") func bounds() throws {
    var deep = RESPReader()
    deep.append(Array((String(repeating: "*1\r\n", count: 64) + ":1\r\n").utf8))
    #expect(try deep.next() != nil)
    deep.append(Array(String(repeating: "*1\r\n", count: 65).utf8))
    #expect(throws: RedisError.malformed("arrays are nested too deeply")) { try deep.next() }

    var line = RESPReader()
    line.append([UInt8](repeating: 43, count: 70_000))
    #expect(throws: RedisError.malformed("a line is too long")) { try line.next() }

    var limits = RESPReader.Limits()
    limits.replyBytes = 100
    var long = RESPReader(limits: limits)
    long.append(Array("*3\r\n$40\r\n".utf8) + [UInt8](repeating: 0, count: 40) + Array("\r\n$60\r\n".utf8))
    #expect(throws: RedisError.malformed("a reply is too long")) { try long.next() }
  }

  @Test("Random, changed and cut replies neither crash nor hang the reader", .timeLimit(.minutes(2)))
  func fuzz() {
    var generator = Sequence64(state: 1)
    let alphabet = Array("*$:+-_,#(=~%>|!0123456789\r\n\r\n".utf8)
    var (values, errors) = (0, 0)
    for round in 0..<100_000 {
      var bytes: [UInt8]
      switch round % 3 {
      case 0: bytes = (0..<generator.below(60)).map { _ in UInt8(generator.below(256)) }
      case 1: bytes = (0..<generator.below(60)).map { _ in alphabet[generator.below(alphabet.count)] }
      default:
        bytes = (0..<3).flatMap { _ in Array(Self.replies[generator.below(Self.replies.count)].0.utf8) }
        for _ in 0..<generator.below(3) {
          bytes[generator.below(bytes.count)] = alphabet[generator.below(alphabet.count)]
        }
        bytes.removeLast(generator.below(bytes.count))
      }
      var reader = RESPReader()
      var rest = bytes[...]
      do {
        while !rest.isEmpty {
          let count = min(rest.count, 1 + generator.below(20))
          reader.append(rest.prefix(count))
          rest = rest.dropFirst(count)
          while try reader.next() != nil { values += 1 }
        }
      } catch { errors += 1 }
    }
    #expect(values > 10_000)
    #expect(errors > 10_000)
  }

  @Test("A large reply in small pieces is read in linear time", .timeLimit(.minutes(1))) func largeReply() throws {
    var writer = RESPWriter()
    writer.begin(200)
    for _ in 0..<200 { writer.append([UInt8](repeating: 7, count: 20_000)) }
    var reader = RESPReader()
    var rest = writer.bytes[...]
    while !rest.isEmpty {
      #expect(try reader.next() == nil)
      reader.append(rest.prefix(1000))
      rest = rest.dropFirst(1000)
    }
    #expect(try reader.next()?.elements?.count == 200)
  }

  @Test("Commands are arrays of strings") func writes() {
    var writer = RESPWriter()
    writer.command(["SET", .bytes([0, 255]), .integer(-10)])
    writer.begin(4)
    writer.append(Int64.min)
    writer.append(Int64.max)
    writer.append(Int64(0))
    writer.append("é")
    let expected =
      Array("*3\r\n$3\r\nSET\r\n$2\r\n".utf8) + [0, 255]
      + Array(
        "\r\n$3\r\n-10\r\n*4\r\n$20\r\n-9223372036854775808\r\n$19\r\n9223372036854775807\r\n$1\r\n0\r\n$2\r\né\r\n"
          .utf8)
    #expect(writer.bytes == expected)
  }

  @Test("Stream IDs are read, written and compared") func streamIDs() {
    #expect(StreamID("18446744073709551615-7".utf8) == StreamID(milliseconds: .max, sequence: 7))
    for text in ["", "1", "-1", "1-", "18446744073709551616-0", "1-x", "1-2-3"] {
      #expect(StreamID(text.utf8) == nil)
    }
    let (nine, ten) = (StreamID(milliseconds: 9, sequence: 9), StreamID(milliseconds: 10, sequence: 0))
    #expect(nine < ten)
    #expect(ten.description == "10-0")
  }

  @Test("Wakes are rounded down to milliseconds") func rounding() {
    #expect(ShardWake.milliseconds(1_999_999) == 1)
    #expect(ShardWake.milliseconds(-1) == -1)
    #expect(ShardWake.milliseconds(-1_000_000) == -1)
    #expect(ShardWake.milliseconds(.min) == -9_223_372_036_855)
    #expect(Int64(exactly: Double(ShardWake.milliseconds(.max))) == ShardWake.milliseconds(.max))
  }
}

/// Random numbers that are the same in every run.
struct Sequence64 {
  var state: UInt64

  mutating func below(_ bound: Int) -> Int {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return bound == 0 ? 0 : Int((state >> 33) % UInt64(bound))
  }
}

import Testing

@testable import StreamPartition

@Suite struct RedisAddressTests {
  static let valid: [(String, RedisAddress)] = [
    ("redis://localhost", RedisAddress(.host("localhost", port: 6379))),
    ("redis://10.0.0.1:7000/3", RedisAddress(.host("10.0.0.1", port: 7000), database: 3)),
    ("redis://[::1]:7000", RedisAddress(.host("::1", port: 7000))),
    ("redis://[::1]/", RedisAddress(.host("::1", port: 6379))),
    ("redis://u:p%40s%3As@h", RedisAddress(.host("h", port: 6379), user: "u", password: "p@s:s")),
    ("redis://:secret@h:1", RedisAddress(.host("h", port: 1), password: "secret")),
    ("unix:///run/redis.sock", RedisAddress(.path("/run/redis.sock"))),
    ("unix://:pw@/run/a%20b?db=2", RedisAddress(.path("/run/a b"), password: "pw", database: 2)),
  ]

  @Test("Addresses are read", arguments: valid) func reads(_ url: String, _ address: RedisAddress) throws {
    #expect(try RedisAddress(url) == address)
  }

  @Test(
    "Other texts are refused",
    arguments: [
      "", "localhost:6379", "http://h", "redis://", "redis://h:0", "redis://h:65536", "redis://h:x", "redis://h/x",
      "redis://h/-1",
      "redis://user@h", "redis://[::1", "redis://%4", "redis://%00h", "redis://%ffh", "unix://run/redis",
      "unix:///a?x=1",
      "unix:///a?db=", "redis://h/2147483648", "redis://h:80:80",
    ])
  func refuses(_ url: String) {
    let error = #expect(throws: RedisError.self) { try RedisAddress(url) }
    guard case .invalid = error else {
      Issue.record("\(String(describing: error))")
      return
    }
  }

  @Test("TLS is left to a proxy") func refusesTLS() {
    let error = #expect(throws: RedisError.self) { try RedisAddress("rediss://h") }
    #expect(error?.description.contains("stunnel") == true)
  }

  @Test("Neither the description nor an error shows the password") func hidesPasswords() {
    #expect(Self.valid.allSatisfy { !$0.1.description.contains("secret") })
    let error = #expect(throws: RedisError.self) { try RedisAddress("redis://:secret@h:x") }
    #expect(error?.description.contains("secret") == false)
  }

  @Test("Long socket paths are refused") func refusesLongPaths() {
    let address = RedisAddress(.path("/" + String(repeating: "a", count: 200)))
    #expect(throws: RedisError.self) { try RedisConnection(address) }
  }
}

#if Sharing
import Foundation
import StreamCore
import StreamTesting
import Testing

@testable import StreamSharing

@Suite struct FormatTests {
  // MARK: Canonical JSON

  @Test(
    arguments: [
      (#"{"b": 1, "a": [true, false, null, -7]}"#, #"{"a":[true,false,null,-7],"b":1}"#),
      (#"{"z": "a\"b\\c\n\u0001é", "": {}}"#, "{\"\":{},\"z\":\"a\\\"b\\\\c\n\u{1}é\"}"),
      // By code point, where RFC 8785 orders by UTF-16.
      (#"{"\ud83d\ude00": 1, "\uffee": 2}"#, "{\"\u{FFEE}\":2,\"😀\":1}"),
    ])
  func canonicalJSONIsThatOfTUF(_ text: String, _ expected: String) throws {
    let value = try MetadataReader(bytes: Array(text.utf8), subject: "test").value
    let bytes = try CanonicalJSON.bytes(value, of: "test")
    #expect(String(decoding: bytes, as: UTF8.self) == expected)
  }

  @Test(arguments: ["1.5", "1e3", "[0.1]"])
  func aFractionCannotBeSigned(_ text: String) throws {
    let value = try MetadataReader(bytes: Array(text.utf8), subject: "test").value
    #expect(throws: TrustError.self) { try CanonicalJSON.bytes(value, of: "test") }
  }

  // MARK: Patterns

  @Test(
    arguments: [
      ("*", "a.json", true), ("*", "a/b", false), ("*/*", "a/b", true), ("a/*.json", "a/b.json", true),
      ("a/*.json", "a/.json", true), ("a/*.json", "a/b.jsonx", false), ("a?c", "abc", true), ("a?c", "a/c", false),
      ("a?c", "aéc", true), ("[a-c]1", "b1", true), ("[!a-c]1", "b1", false), ("[!a-c]1", "d1", true),
      ("[]]", "]", true), ("[a", "[a", true), ("a*b*c", "axxbyyc", true), ("a*b*c", "axxbyy", false),
      ("**", "abc", true), ("", "", true), ("", "a", false), ("a", "A", false),
      ("*a*a*a*b", "aaaaaaaaaaaaaaaaaaaaaaa", false),
    ] as [(String, String, Bool)])
  func aPatternMatchesWithinSegments(_ pattern: String, _ path: String, _ expected: Bool) {
    let found = PathPattern(pattern).matches(path)
    #expect(found == expected)
  }

  // MARK: Encodings

  @Test(arguments: ["a", "ä ö/%?#", "..", "", "😀"])
  func percentEncodingIsReversible(_ name: String) {
    let encoded = PercentEncoding.encode(name)
    #expect(PercentEncoding.decode(encoded) == name)
    #expect(encoded.utf8.allSatisfy { $0 != UInt8(ascii: "/") && $0 < 128 })
  }

  @Test(arguments: ["%", "%4", "%zz", "%ff"])
  func whatIsNotPercentEncodedIsRefused(_ text: String) { #expect(PercentEncoding.decode(text) == nil) }

  @Test(arguments: ["0", "0g", "é0", "0x"])
  func whatIsNotHexadecimalIsRefused(_ text: String) { #expect(Hexadecimal.bytes(text) == nil) }

  // MARK: Keys

  @Test(arguments: SigningKey.Scheme.allCases, [nil, "päss"])
  func aKeyIsReadAsItWasWritten(_ scheme: SigningKey.Scheme, _ passphrase: String?) throws {
    let key = try SigningKey.generate(scheme)
    let text = try PrivateKeyInfo.pem(key.pkcs8, passphrase: passphrase)
    let read = try SigningKey(
      pkcs8: try PrivateKeyInfo.read(pem: text, named: "key") { () throws(TrustError) in passphrase ?? "" })
    #expect(read.id == key.id)
    #expect(text.contains("ENCRYPTED") == (passphrase != nil))
  }

  @Test func aWrongPassphraseIsRefused() throws {
    let text = try PrivateKeyInfo.pem(try SigningKey.generate().pkcs8, passphrase: "right")
    let error = #expect(throws: TrustError.self) {
      let bytes = try PrivateKeyInfo.read(pem: text, named: "key") { () throws(TrustError) in "wrong" }
      _ = try SigningKey(pkcs8: bytes)
    }
    #expect(error != nil)
  }

  @Test(arguments: ["", "key", "-----BEGIN CERTIFICATE-----\nMAA=\n-----END CERTIFICATE-----"])
  func whatIsNoKeyIsRefused(_ text: String) {
    #expect(throws: TrustError.self) {
      try PrivateKeyInfo.read(pem: text, named: "key") { () throws(TrustError) in "" }
    }
  }

  @Test(
    .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/openssl")),
    arguments: SigningKey.Scheme.allCases)
  func opensslReadsTheKeys(_ scheme: SigningKey.Scheme) throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/key.pem"
    let key = try SigningKey.generate(scheme)
    try Data(try PrivateKeyInfo.pem(key.pkcs8, passphrase: "secret").utf8).write(to: URL(fileURLWithPath: path))
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/openssl")
    process.arguments = ["pkey", "-in", path, "-passin", "pass:secret", "-outform", "DER"]
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let der = Array(output.fileHandleForReading.readDataToEndOfFile())
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    let read = try SigningKey(pkcs8: der)
    #expect(read.id == key.id)
  }

  // MARK: For other clients

  /// Writes random repositories into the folder of SHARING_REPOSITORIES; `repositories.py --ours` reads them.
  @Test(.enabled(if: environment("SHARING_REPOSITORIES") != nil))
  func repositoriesForOtherClientsAreWritten() throws {
    let folder = try #require(environment("SHARING_REPOSITORIES"))
    let pool = try SigningKey.Scheme.allCases.flatMap { scheme in
      try (0..<3).map { _ in try SigningKey.generate(scheme) }
    }
    for seed in 0..<100 {
      var random = SeededGenerator(seed: UInt64(seed))
      let now = Int64(Date().timeIntervalSince1970)
      func authority() -> RoleAuthority {
        let keys = pool.shuffled(using: &random).prefix(Int.random(in: 1...3, using: &random))
        return RoleAuthority(Array(keys), threshold: Int.random(in: 1...keys.count, using: &random))
      }
      let authorities = Dictionary(uniqueKeysWithValues: RoleName.allCases.map { ($0, authority()) })
      let place = "\(folder)/\(seed)"
      try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
      var repository = try Repository.create(in: place, authorities: authorities, now: now)
      var expected: [String: String] = [:]
      for number in 0..<Int.random(in: 0...6, using: &random) {
        switch Int.random(in: 0..<5, using: &random) {
        case 0:
          let roles = RoleName.allCases.shuffled(using: &random).prefix(2)
          try repository.rotate(Dictionary(uniqueKeysWithValues: roles.map { ($0, authority()) }), now: now)
        case 1:
          let role = "team\(number)"
          try repository.delegate(["\(role)/*"], to: role, authority(), isTerminating: false, now: now)
          try repository.publish([.init(path: "\(role)/ä b.json", bytes: Array(role.utf8))], as: role, now: now)
          expected["\(role)/ä b.json"] = role
        case 2: try repository.renew(["root"], now: now)
        default:
          let path = ["a.json", "b/c d.json", "é%2F.json"].randomElement(using: &random) ?? ""
          try repository.publish(
            [
              .init(path: path, bytes: Array("\(number)".utf8), custom: ["streamrun": ["version": .int(Int64(number))]])
            ],
            now: now)
          expected[path] = "\(number)"
        }
      }
      try JSONSerialization.data(withJSONObject: expected).write(to: URL(fileURLWithPath: "\(place)/expected.json"))
    }
  }
}
#endif

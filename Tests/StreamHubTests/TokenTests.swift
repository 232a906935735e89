#if Sharing
import Foundation
import StreamCore
import Testing

@testable import StreamHub

@Suite struct TokenTests {
  @Test func aTokenIsStoredWithoutItsSecret() throws {
    let folder = try TemporaryFolder()
    let file = TokenFile("\(folder.path)/tokens.json")
    let (token, text) = Token.make(scopes: [.read, .publish(prefix: "a/")], note: "n", expires: 2_000, now: 1_000)
    try file.change { $0[token.id] = token }
    #expect(text.hasPrefix("shub_\(token.id)"))
    #expect(text.utf8.count == 5 + 8 + 64)
    let stored = try String(contentsOfFile: "\(folder.path)/tokens.json", encoding: .utf8)
    #expect(!stored.contains(text.dropFirst(13)))
    let attributes = try FileManager.default.attributesOfItem(atPath: "\(folder.path)/tokens.json")
    #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o600)
    let read = try TokenFile("\(folder.path)/tokens.json").tokens()
    #expect(read == [token.id: token])
    let valid = try file.token(text, now: 1_999)
    let expired = try file.token(text, now: 2_000)
    let altered = try file.token(String(text.dropLast()) + (text.hasSuffix("0") ? "1" : "0"), now: 1_000)
    #expect([valid, expired, altered] == [token, nil, nil])
  }

  @Test func twoTokensDiffer() {
    let texts = (0..<100).map { _ in Token.make(scopes: [.read], note: nil, expires: nil, now: 0).text }
    #expect(Set(texts).count == 100)
  }

  @Test func changesAtTheSameTimeAreAllKept() async throws {
    let folder = try TemporaryFolder()
    let path = "\(folder.path)/tokens.json"
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<20 {
        group.addTask {
          let (token, _) = Token.make(scopes: [.read], note: nil, expires: nil, now: 0)
          try TokenFile(path).change { $0[token.id] = token }
        }
      }
      try await group.waitForAll()
    }
    let count = try TokenFile(path).tokens().count
    #expect(count == 20)
  }

  @Test(arguments: ["", "write", "publish", "publish:/a", "publish:../", "publish:a b", "Read", "publish:.a"])
  func otherScopesAreRefused(_ text: String) {
    let scope = TokenScope(text)
    #expect(scope == nil)
  }

  @Test(arguments: ["read", "report", "admin", "publish:", "publish:checkout/", "publish:checkout/fraud"])
  func scopesAreReadAndWritten(_ text: String) {
    let scope = TokenScope(text)
    #expect(scope?.text == text)
  }

  @Test func aBucketFillsAtItsRate() {
    let limiter = RateLimiter(rate: 2, burst: 4)
    let first = (0..<6).map { _ in limiter.take("a", now: 1_000) }
    #expect(first == [nil, nil, nil, nil, 1, 1])
    let later = (0..<3).map { _ in limiter.take("a", now: 2_000) }
    #expect(later == [nil, nil, 1])
    let other = limiter.take("b", now: 2_000)
    #expect(other == nil)
  }

  @Test func callersAreForgottenWhenThereAreMany() {
    let limiter = RateLimiter(rate: 1, burst: 1)
    for number in 0..<50_000 { _ = limiter.take(String(number), now: Int64(number)) }
    let last = limiter.take("49999", now: 49_999)
    #expect(last == 1)
  }
}
#endif

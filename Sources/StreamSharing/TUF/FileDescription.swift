internal import StreamCore

/// The length and the hashes of a file, as signed.
struct FileDescription: Hashable, Sendable {
  /// nil if the metadata does not state it.
  let length: Int?
  /// Hexadecimal digests by the names of their algorithms.
  let hashes: [String: String]

  init(length: Int?, hashes: [String: String]) {
    self.length = length
    self.hashes = hashes
  }

  /// Describes bytes, with their SHA-256.
  init(of bytes: [UInt8]) {
    self.init(length: bytes.count, hashes: ["sha256": ContentDigest(of: bytes).text])
  }

  /// Reads the members `length` and `hashes`, which may be absent unless they are required.
  init(_ file: MetadataReader, isRequired: Bool) throws(TrustError) {
    let length = isRequired ? try file["length"] : try file.optional("length")
    self.length = try length.map { reader throws(TrustError) in Int(try reader.integer(in: 0...Int64(Int32.max))) }
    guard let hashes = isRequired ? try file["hashes"] : try file.optional("hashes") else {
      self.hashes = [:]
      return
    }
    var table: [String: String] = [:]
    for (name, hash) in try hashes.members { table[name] = try hash.text.lowercased() }
    guard !table.isEmpty else { throw file.problem("hashes", "there is no hash") }
    self.hashes = table
  }

  /// The digest that names the file in a consistent snapshot: SHA-256 if there is one.
  var preferredHash: String? { hashes["sha256"] ?? hashes.min { $0.key < $1.key }?.value }

  /// Checks the length and every hash of a known algorithm.
  func check(_ bytes: [UInt8], of subject: String) throws(TrustError) {
    if let length, length != bytes.count {
      throw TrustError(.mismatch, subject, "\(bytes.count) bytes; \(length) are signed")
    }
    guard !hashes.isEmpty else { return }
    var known = 0
    for (algorithm, signed) in hashes {
      let found: String
      switch algorithm {
      case "sha256": found = ContentDigest(of: bytes).text
      case "sha512": found = try LongDigest.sha512(bytes)
      case "sha384": found = try LongDigest.sha384(bytes)
      default: continue
      }
      known += 1
      guard found == signed else { throw TrustError(.mismatch, subject, "the \(algorithm) is not the signed one") }
    }
    guard known > 0 else {
      let names = hashes.keys.sorted().joined(separator: ", ")
      throw TrustError(.malformed, subject, "no hash of a known algorithm; found \(names)")
    }
  }
}

/// The version of a role, and possibly its length and hashes, as another role signs them.
struct MetadataDescription: Hashable, Sendable {
  let version: Int64
  let file: FileDescription

  init(_ meta: MetadataReader) throws(TrustError) {
    version = try meta["version"].integer(in: MetadataHeader.versions)
    file = try FileDescription(meta, isRequired: false)
  }
}

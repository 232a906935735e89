internal import CLibrary

/// The attributes that a file system keeps with a file besides its content, such as access control lists.
enum ExtendedAttributes {
  /// Copies the extended attributes of one file to another.
  ///
  /// - Throws: An error if an attribute that belongs to the user or grants access cannot be copied. Attributes that
  ///   only the system may set (security labels) are copied if permitted.
  static func copy(from original: FileDescriptor, to file: FileDescriptor) throws(SystemError) {
    #if canImport(Darwin)
    guard fcopyfile(original.number, file.number, nil, copyfile_flags_t(COPYFILE_XATTR | COPYFILE_ACL)) == 0 else {
      throw SystemError.latest
    }
    #else
    let names = names(of: original)
    for name in names {
      guard let value = value(of: name, of: original) else { continue }
      if set(name, to: value, of: file) { continue }
      let error = SystemError.latest
      if name.hasPrefix("user.") || name == accessList { throw error }
    }
    // A directory may give new files an access control list that the old one did not have.
    if !names.contains(accessList) { _ = removeAttribute(file.number, accessList) }
    #endif
  }

  /// Returns the value of an attribute; nil if the file does not have it.
  static func value(of name: String, of file: FileDescriptor) -> [UInt8]? {
    contents { getAttribute(file.number, name, $0, $1) }
  }

  /// Sets an attribute, if the file system supports and permits it.
  @discardableResult
  static func set(_ name: String, to value: [UInt8], of file: FileDescriptor) -> Bool {
    setAttribute(file.number, name, value, value.count) == 0
  }

  #if !canImport(Darwin)
  private static let accessList = "system.posix_acl_access"

  /// Returns the names of the attributes; empty if the file system does not support attributes.
  private static func names(of file: FileDescriptor) -> [String] {
    guard let bytes = contents({ listAttributes(file.number, $0, $1) }) else { return [] }
    return bytes.split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
  }

  #endif

  /// The bytes that a function of the system writes into a buffer of the size that it asks for; nil if it fails.
  private static func contents(_ fill: (UnsafeMutableRawPointer?, Int) -> Int) -> [UInt8]? {
    while true {
      let size = fill(nil, 0)
      guard size > 0 else { return size == 0 ? [] : nil }
      var bytes = [UInt8](repeating: 0, count: size)
      let count = bytes.withUnsafeMutableBytes { fill($0.baseAddress, $0.count) }
      if count >= 0 { return Array(bytes.prefix(count)) }
      // It has grown meanwhile.
      guard errno == ERANGE else { return nil }
    }
  }
}

#if canImport(Darwin)
private func getAttribute(_ file: Int32, _ name: String, _ value: UnsafeMutableRawPointer?, _ size: Int) -> Int {
  fgetxattr(file, name, value, size, 0, 0)
}

private func setAttribute(_ file: Int32, _ name: String, _ value: [UInt8], _ size: Int) -> Int32 {
  fsetxattr(file, name, value, size, 0, 0)
}
#else
// The C library's module does not name `sys/xattr.h`.
@_silgen_name("flistxattr")
private func listAttributes(_ file: Int32, _ list: UnsafeMutableRawPointer?, _ size: Int) -> Int

@_silgen_name("fgetxattr")
private func getAttribute(
  _ file: Int32, _ name: UnsafePointer<CChar>, _ value: UnsafeMutableRawPointer?, _ size: Int
) -> Int

@_silgen_name("fsetxattr")
private func setAttributeWithFlags(
  _ file: Int32, _ name: UnsafePointer<CChar>, _ value: UnsafeRawPointer?, _ size: Int, _ flags: Int32
) -> Int32

private func setAttribute(_ file: Int32, _ name: String, _ value: [UInt8], _ size: Int) -> Int32 {
  setAttributeWithFlags(file, name, value, size, 0)
}

@_silgen_name("fremovexattr")
private func removeAttribute(_ file: Int32, _ name: UnsafePointer<CChar>) -> Int32
#endif

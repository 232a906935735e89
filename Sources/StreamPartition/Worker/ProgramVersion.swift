/// The version of the program, which a worker tells.
package enum ProgramVersion {
  package static let text = "0.1.0"
}

/// The registry of error codes. A code is never reused, even after its error has been removed.
///
/// ```swift
/// if diagnostic.code == .outOfRange { problems.append(diagnostic.code.rawValue) }
/// ```
///
/// S0xx text and JSON, S1xx model and operators, S2xx expressions, S3xx inputs, S4xx running, S5xx command line.
public enum DiagnosticCode: String, Hashable, Sendable, Codable, CaseIterable {
  // Text and JSON
  case syntax = "S001"
  case invalidUTF8 = "S002"
  case duplicateKey = "S003"
  case tooDeep = "S004"
  case tooLarge = "S005"
  case numberOutOfRange = "S006"
  case loneSurrogate = "S007"
  case trailingText = "S008"
  case emptyText = "S009"
  case unexpectedEnd = "S010"
  case invalidPointer = "S011"

  // Model and operators
  case unknownKey = "S101"
  case wrongType = "S102"
  case missingField = "S103"
  case outOfRange = "S104"
  case unknownOperator = "S105"
  case notOneOperator = "S106"
  case unknownSource = "S107"
  case notOneSource = "S108"
  case unknownStream = "S109"
  case cycle = "S110"
  case conflictingFields = "S111"
  case invalidIdentifier = "S112"
  case unsupportedFormat = "S113"
  case tooManySubscriptions = "S114"
  case invalidMarbles = "S115"
  case invalidTest = "S116"
  case unsupportedImport = "S117"
  case duplicateName = "S118"
  case invalidType = "S119"
  case assumption = "S120"
  case notRegistered = "S121"
  case furtherErrors = "S122"
  case cannotPartition = "S123"
  case unusedName = "S124"
  case invalidPatch = "S130"
  case patchFailed = "S131"
  case patchUnsayable = "S132"
  case mergeConflict = "S133"
  case unresolvedConflict = "S134"

  // Expressions
  case expressionSyntax = "S201"
  case unknownName = "S202"
  case typeMismatch = "S203"
  case unknownFunction = "S204"
  case noMatchingOverload = "S205"
  case unknownField = "S206"
  case expressionTooLarge = "S207"
  case invalidLiteral = "S208"
  case invalidMacro = "S209"
  case constantFails = "S210"

  // Inputs
  case unknownInput = "S301"
  case invalidInput = "S302"
  case inputNotFed = "S303"
  case inputTypeMismatch = "S304"
  case invalidEventTime = "S305"

  // Running
  case expressionFailed = "S401"
  case divisionByZero = "S402"
  case overflow = "S403"
  case noSuchKey = "S404"
  case noSuchOverload = "S405"
  case budgetExceeded = "S406"
  case streamFailed = "S407"
  case wrongResult = "S408"
  case limitExceeded = "S409"
  case invalidConversion = "S410"
  case indexOutOfBounds = "S411"
  case snapshotMismatch = "S412"
  case callFailed = "S413"
  case misfittingValue = "S414"
  case notExercised = "S415"
  case timeEnded = "S416"
  case workExceeded = "S417"
  case valuesDropped = "S418"

  // Command line and files
  case invalidArgument = "S501"
  case fileNotFound = "S502"
  case permissionDenied = "S503"
  case isDirectory = "S504"
  case cannotRead = "S505"
  case cannotWrite = "S506"
  case notGranted = "S508"
  case testsEnded = "S509"
}

// `import StreamKit` alone gives an app the declarations that StreamKit's interface uses.

@_exported public import StreamCore
@_exported public import StreamEngine

// The types of expressions that inputs, functions and operators of an app use.
@_exported public import struct CEL.CELExpression
@_exported public import enum CEL.CELType
@_exported public import struct CEL.EvaluationError
@_exported public import struct CEL.ExpressionLimits
@_exported public import struct CEL.FunctionDeclaration
@_exported public import enum CEL.Numbers
@_exported public import struct CEL.RecordField
@_exported public import struct CEL.Signature
@_exported public import struct CEL.Variable

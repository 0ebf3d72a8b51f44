import { CodedError, LogError, type LogErrorCode } from '#log/base/errors.ts'

/** A fault on its way to another side, as plain data. */
export type SentFault = {
  readonly name: string
  readonly message: string
  readonly stack?: string
  readonly code?: string
  readonly cause?: SentFault
}

/** Faults that lay behind one, at most. */
const causesMax = 4

/** What the other side is told of a fault. */
export function sentFault(fault: unknown, causes = causesMax): SentFault {
  if (!(fault instanceof Error)) return { name: 'Error', message: String(fault) }
  const { name, message, stack, cause } = fault
  const code = fault instanceof CodedError ? String(fault.code) : undefined
  const behind = cause !== undefined && causes > 0 ? sentFault(cause, causes - 1) : undefined
  return {
    name,
    message,
    ...(stack && { stack }),
    ...(code && { code }),
    ...(behind && { cause: behind }),
  }
}

/** What broke on the other side, with its name and stack as they were there. */
export function faultOf({ name, message, stack, code, cause }: SentFault): Error {
  const options = cause && { cause: faultOf(cause) }
  // Damage is told from other faults of the log by its class.
  if (name === 'LogError') {
    const fault = new LogError(code as LogErrorCode, message, options)
    return Object.assign(fault, stack && { stack })
  }
  const fault = new Error(message, options)
  return Object.assign(fault, { name, ...(stack && { stack }), ...(code && { code }) })
}

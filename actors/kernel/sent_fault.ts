import { LogError, type LogErrorCode } from '#log/base/errors.ts'

/** A fault on its way to another side, as plain data. */
export type SentFault = {
  readonly name: string
  readonly message: string
  readonly stack?: string
  /** Of a fault of the log, by which damage is told from others. */
  readonly code?: LogErrorCode
}

/** What the other side is told of a fault. */
export function sentFault(cause: unknown): SentFault {
  if (!(cause instanceof Error)) return { name: 'Error', message: String(cause) }
  const { name, message, stack } = cause
  const code = cause instanceof LogError ? cause.code : undefined
  return { name, message, ...(stack && { stack }), ...(code && { code }) }
}

/** What broke on the other side, with its name and stack as they were there. */
export function faultOf({ name, message, stack, code }: SentFault): Error {
  const fault = code === undefined ? new Error(message) : new LogError(code, message)
  return Object.assign(fault, { name, ...(stack && { stack }) })
}

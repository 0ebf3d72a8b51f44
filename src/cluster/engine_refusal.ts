import { JetStreamApiError } from '@nats-io/jetstream'

/** Codes of JetStream's own (`err_code`); the last one while a competing write is in flight. */
export const noMessageFound = 10_037
export const nameInUse = 10_058
export const noStream = 10_059
export const wrongLastSequence = 10_071
export const competingWrite = 10_164

/** Whether JetStream refused with one of some codes. */
export function isRefusal(error: unknown, codes: readonly number[]): boolean {
  return error instanceof JetStreamApiError && codes.includes(error.code)
}

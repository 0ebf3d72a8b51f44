import { setTimeout as sleep } from 'node:timers/promises'
import { JetStreamApiError } from '@nats-io/jetstream'
import { NoRespondersError, RequestError, TimeoutError } from '@nats-io/transport-node'

/** How long something is tried again for, and how time passes meanwhile. */
export type Patience = {
  readonly forMs: number
  /** Milliseconds of a clock that only goes forward. */
  readonly elapsedMs: () => number
}

const pauseMs = 100

/**
 * Whether the engine may do a moment later what it has just failed to do: after a start, or while a
 * stream has no leader, it says that nobody responds, that no server is fit for a replica (10005),
 * that it is shutting down, or, misleadingly, that JetStream is not enabled (503). What was asked
 * may have been done.
 */
export function isPassing(error: unknown): boolean {
  if (error instanceof JetStreamApiError) {
    const { code, err_code: reason } = error.apiError()
    return code === 503 || reason === noSuitablePeers
  }
  if (error instanceof RequestError) return error.isNoResponders()
  return (
    error instanceof NoRespondersError ||
    error instanceof TimeoutError ||
    // The client does not export this class.
    (error instanceof Error && error.name === 'JetStreamNotEnabled')
  )
}

const noSuitablePeers = 10_005

/**
 * Does what can be repeated, until it succeeds or fails for good (`mayPass` says of a fault that it
 * does not), or patience ends.
 */
export async function patiently<Done>(
  attempt: () => Promise<Done>,
  { forMs, elapsedMs }: Patience,
  mayPass: (error: unknown) => boolean = isPassing,
): Promise<Done> {
  const endMs = elapsedMs() + forMs
  for (;;) {
    try {
      return await attempt()
    } catch (error) {
      if (!mayPass(error) || elapsedMs() >= endMs) throw error
    }
    await sleep(pauseMs)
  }
}

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

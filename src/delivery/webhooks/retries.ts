import type { PostOutcome } from '#src/delivery/fetch/poster.ts'
import type { DeferredMessages, EndpointProgress } from '#src/delivery/webhooks/delivery_rows.ts'

/** When nothing was delivered for so long, the endpoint is given up. */
export const patienceMs = 3 * 24 * 3_600_000

const minuteMs = 60_000
const retriesMs = [5_000, 30_000, 2 * minuteMs, 10 * minuteMs, 30 * minuteMs, 60 * minuteMs]
const retryMsMax = 4 * 60 * minuteMs

/** Tries in a row that have failed, from which on it is the endpoint that is waited for. */
const refusalsMax = 3

/** Subjects whose messages are held, and messages of them. */
const deferredSubjectsMax = 50
const deferredMessagesMax = 1_000

/** How long it is until the next try after so many failures: within a tenth of it, by chance. */
function retryAfterMs(failures: number, random: number): number {
  return (retriesMs[failures - 1] ?? retryMsMax) * (0.9 + 0.2 * random)
}

/** Whether an endpoint has answered that it does not take this message, whatever of others. */
function isRefusal(outcome: PostOutcome): boolean {
  if (outcome.type !== 'answered') return false
  // By these an endpoint says that it is the wrong time, and not the wrong message.
  return outcome.status !== 429 && outcome.status !== 503
}

/** What is known when a try has failed: `nowMs` since 1970, and `random` from 0 up to 1. */
type Chance = { readonly nowMs: number; readonly random: number }

/** The progress after a try that was delivered. */
export function afterSuccess(progress: EndpointProgress): EndpointProgress {
  const { failingSinceMs: _since, nextMs: _next, ...rest } = progress
  return { ...rest, failures: 0 }
}

/**
 * The progress after a try that has failed: the endpoint rests if it could not be reached, or has
 * taken nothing several times in a row.
 */
export function afterFailure(
  progress: EndpointProgress,
  outcome: PostOutcome,
  { nowMs, random }: Chance,
): EndpointProgress {
  const failures = progress.failures + 1
  const failing = { ...progress, failures, failingSinceMs: progress.failingSinceMs ?? nowMs }
  if (isRefusal(outcome) && failures < refusalsMax) return failing
  return { ...failing, nextMs: nowMs + retryAfterMs(failures, random) }
}

/** Whether a message that was refused can be deferred, so that those about other subjects go on. */
export function canDefer({ held }: EndpointProgress, outcome: PostOutcome): boolean {
  return isRefusal(outcome) && held.length < deferredSubjectsMax
}

/** The deferred messages with one more, behind those of its subject or as the first. */
export function defer(
  held: readonly DeferredMessages[],
  { subject, seq }: { readonly subject: string; readonly seq: number },
  { nowMs, random }: Chance,
): readonly DeferredMessages[] {
  const known = held.find((one) => one.subject === subject)
  if (known !== undefined) {
    if (known.seqs.includes(seq)) return held
    const seqs = [...known.seqs, seq].toSorted((one, other) => one - other)
    return held.map((one) => (one === known ? { ...one, seqs } : one))
  }
  const nextMs = nowMs + retryAfterMs(1, random)
  return [...held, { subject, seqs: [seq], failures: 1, sinceMs: nowMs, nextMs }]
}

/** Whether no more messages can be deferred, so that those that follow wait. */
export function isFull({ held }: EndpointProgress): boolean {
  return held.reduce((count, { seqs }) => count + seqs.length, 0) >= deferredMessagesMax
}

/** The deferred messages after a try of the first of a subject; `isDone`: it was delivered. */
export function afterDeferredTry(
  held: readonly DeferredMessages[],
  tried: DeferredMessages,
  isDone: boolean,
  { nowMs, random }: Chance,
): readonly DeferredMessages[] {
  return held.flatMap((one) => {
    if (one !== tried) return [one]
    if (!isDone) {
      const failures = one.failures + 1
      return [{ ...one, failures, nextMs: nowMs + retryAfterMs(failures, random) }]
    }
    const seqs = one.seqs.slice(1)
    // The next of them was never tried: its patience begins anew.
    return seqs.length === 0 ? [] : [{ ...one, seqs, failures: 0, sinceMs: nowMs, nextMs: nowMs }]
  })
}

/** Deferred messages that are due, the earliest first; undefined if none are. */
export function dueDeferred(
  { held }: EndpointProgress,
  nowMs: number,
): DeferredMessages | undefined {
  const [earliest] = held.toSorted((one, other) => one.nextMs - other.nextMs)
  return earliest !== undefined && earliest.nextMs <= nowMs ? earliest : undefined
}

/** When something is tried that waits now, in ms since 1970; infinite if nothing does. */
export function nextTryMs({ held, nextMs = 0 }: EndpointProgress): number {
  const earliest = Math.min(...held.map((one) => one.nextMs), Number.POSITIVE_INFINITY)
  return Math.max(earliest, nextMs)
}

/** Why an endpoint is given up after a try that has failed; undefined as long as it is not. */
export function reasonToGiveUp(
  { failingSinceMs, held }: EndpointProgress,
  outcome: PostOutcome,
  nowMs: number,
): string | undefined {
  if (outcome.type === 'answered' && outcome.status === 410) {
    return 'it answered 410: it wants nothing any more'
  }
  const why =
    outcome.type === 'answered'
      ? `its last answer was ${outcome.status}`
      : outcome.type === 'failed'
        ? outcome.reason
        : 'it was not reached'
  if (failingSinceMs !== undefined && nowMs - failingSinceMs >= patienceMs) {
    return `nothing was delivered for three days: ${why}`
  }
  const late = held.find(({ sinceMs }) => nowMs - sinceMs >= patienceMs)
  if (late === undefined) return undefined
  return `a message about ${late.subject} was not taken for three days: ${why}`
}

/** The progress with which deliveries begin anew: all that waited is due. */
export function startedAgain(
  progress: EndpointProgress,
  start: { readonly count: number; readonly after?: number },
  nowMs: number,
): EndpointProgress {
  const { failingSinceMs: _since, nextMs: _next, ...rest } = progress
  const begun = { ...rest, starts: start.count, failures: 0, isBehind: true }
  // A start at a given event sends everything after it, and nothing else that waited.
  if (start.after !== undefined) return { ...begun, after: start.after, held: [] }
  const held = progress.held.map((one) => ({ ...one, failures: 0, sinceMs: nowMs, nextMs: nowMs }))
  return { ...begun, held }
}

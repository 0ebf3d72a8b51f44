import type { RemoteOptions } from '#actors/kernel/remote.ts'
import { neverMs } from '#test/actors/kernel/_counter.ts'

/** The bounds of both sides in the tests of remote references. */
export const remoteLimits: Omit<RemoteOptions, 'name' | 'transport'> = {
  askedMax: 500,
  messageCharactersMax: 100_000,
  answerMsMax: neverMs,
  elapsedMs: () => performance.now(),
  report: () => undefined,
}

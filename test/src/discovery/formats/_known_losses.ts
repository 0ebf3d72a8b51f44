import type { Difference } from '#test/src/discovery/formats/_readings.ts'

/** A loss that is no fault of what we write; `by` whom, and in a few words `why`. */
type KnownLoss = {
  readonly reader: RegExp
  readonly format: RegExp
  readonly field: RegExp
  readonly when?: (difference: Difference) => boolean
  readonly by: 'format' | 'reader'
  readonly why: string
}

/** All that readers are known to lose. */
export const known: readonly KnownLoss[] = []

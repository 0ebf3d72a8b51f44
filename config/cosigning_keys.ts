import { Type } from 'typebox'
import { integer, path } from '#config/key_schema.ts'

/** The keys of having the log witnessed. */
export const cosigningKeys = {
  WITNESS_POLICY: Type.Optional(
    path({
      description:
        'File that names the witnesses of the log, and how many of them must sign (C2SP ' +
        'tlog-policy). Default: the log is not witnessed.',
    }),
  ),
  WITNESS_INTERVAL_MS: integer({
    description: 'Least time from one checkpoint that is sent to the witnesses to the next.',
    unit: 'ms',
    default: 1_000,
    minimum: 100,
    maximum: 3_600_000,
  }),
}

import { integer, mebibyte } from '#config/key_schema.ts'

/** The keys of how replies leave a server, which each of our servers has. */
export const sendingKeys = {
  SEND_STALL_MS: integer({
    description: 'Time in which a reader takes something of a reply; else it is cut off.',
    unit: 'ms',
    default: 30_000,
    minimum: 1_000,
    maximum: 3_600_000,
  }),
  UNSENT_BYTES_MAX: integer({
    description: 'Bytes of long replies that wait to be taken by their readers, in all.',
    unit: 'bytes',
    default: 128 * mebibyte,
    minimum: mebibyte,
    maximum: 16_384 * mebibyte,
  }),
  UNSENT_CLIENT_BYTES_MAX: integer({
    description: 'The same for one client address.',
    unit: 'bytes',
    default: 32 * mebibyte,
    minimum: mebibyte,
    maximum: 16_384 * mebibyte,
  }),
}

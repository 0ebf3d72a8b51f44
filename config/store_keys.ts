import { integer, mebibyte } from '#config/key_schema.ts'

/** The keys of what the stores hold in memory, and leave on the disk. */
export const storeKeys = {
  STORE_WRITE_BUFFER_BYTES: integer({
    description: 'Memory in which a store gathers rows before it writes a table file.',
    unit: 'bytes',
    default: 64 * mebibyte,
    minimum: mebibyte,
    maximum: 1024 * mebibyte,
  }),
  STORE_CACHE_BYTES: integer({
    description: 'Memory in which a store keeps blocks it has read.',
    unit: 'bytes',
    default: 16 * mebibyte,
    minimum: mebibyte,
    maximum: 16_384 * mebibyte,
  }),
  REPLY_CACHE_BYTES: integer({
    description: 'Memory in which the bytes of often read replies are kept.',
    unit: 'bytes',
    default: 32 * mebibyte,
    minimum: mebibyte,
    maximum: 16_384 * mebibyte,
  }),
  DISK_RESERVE_BYTES: integer({
    description: 'Free disk space below which writes are answered with 503.',
    unit: 'bytes',
    default: 128 * mebibyte,
    minimum: 0,
    maximum: 1_048_576 * mebibyte,
  }),
}

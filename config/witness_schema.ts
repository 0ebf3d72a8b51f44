import { type Static, Type } from 'typebox'
import { integer, keysOf, path, rateLimit, text } from '#config/key_schema.ts'
import { configSchema } from '#config/schema.ts'
import { sendingKeys } from '#config/sending_keys.ts'

const {
  CONFIG_FILE,
  KEYS_DIR,
  HOST,
  TRUST_PROXY,
  ADMIN_PORT,
  ADMIN_HOST,
  LOG_LEVEL,
  SHUTDOWN_GRACE_MS,
  CONNECTIONS_MAX,
  CONNECTIONS_PER_ADDRESS_MAX,
  STORE_WRITE_BUFFER_BYTES,
  STORE_CACHE_BYTES,
  RATE_LIMITS,
} = configSchema.properties

/**
 * Every configuration key of a witness, as that of the registry is: the environment, or the JSON
 * file that CONFIG_FILE names. What both have means the same.
 */
export const witnessSchema = Type.Object(
  {
    CONFIG_FILE,
    WITNESS_NAME: Type.Optional(
      text({
        description:
          'Name under which the witness cosigns, for ever: read at the first start, when it must ' +
          'be given, then kept in instance.json. A domain of its operator, and a path in it.',
        pattern: '^[0-9A-Za-z._~:\\[\\]/-]+$',
        maxLength: 200,
        accepts: 'a host name, perhaps with a path, such as witness.example.org/w1',
      }),
    ),
    DATA_DIR: path({
      description: 'Folder of everything the witness keeps.',
      default: './witness-data',
    }),
    KEYS_DIR,
    HOST,
    PORT: integer({
      description: 'TCP port to listen on; 0 picks a free one.',
      unit: '',
      default: 3002,
      minimum: 0,
      maximum: 65_535,
    }),
    BASE_URL: Type.Optional(
      text({
        description:
          'Public address of the witness, under which logs reach it. ' +
          'Default: HOST and PORT over http.',
        pattern: '^https?://[^/?#@\\s]+(/[0-9A-Za-z._~-]+)*/?$',
        maxLength: 255,
        accepts: 'https://host or https://host/path',
      }),
    ),
    TRUST_PROXY,
    ADMIN_PORT,
    ADMIN_HOST,
    LOG_LEVEL,
    SHUTDOWN_GRACE_MS,
    CONNECTIONS_MAX,
    CONNECTIONS_PER_ADDRESS_MAX,
    ...sendingKeys,
    STORE_WRITE_BUFFER_BYTES,
    STORE_CACHE_BYTES,
    RATE_LIMITS,
    LIMIT_NEW_CHECKPOINTS: rateLimit(
      'minute',
      600,
      'New checkpoints that are cosigned, per log; `witness add-log --rate` has another for one.',
    ),
    LIMIT_ADD_CHECKPOINT: rateLimit('minute', 6_000, 'Checkpoints submitted, per address.'),
    LIMIT_LOG: rateLimit('minute', 6_000, 'Reading what was cosigned, per address.'),
  },
  { additionalProperties: false },
)

/** A complete configuration of a witness. */
export type WitnessConfig = Readonly<Static<typeof witnessSchema>>

/** All keys in the order of the schema. */
export const witnessKeys = keysOf<keyof WitnessConfig>(witnessSchema.properties)

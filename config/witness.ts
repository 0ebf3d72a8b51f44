import { type Static, Type } from 'typebox'

import { isUsableAddress, portFaults, proxyFaults } from '#config/config.ts'
import { configSchema, serverKeys } from '#config/schema.ts'
import {
  type ConfigFault,
  flag,
  httpAddress,
  keysOf,
  listenPort,
  path,
  type ProcessEnv,
  rateLimit,
  settingsReader,
  text,
  wrongValue,
} from '#config/settings.ts'

const shared = configSchema.properties

/**
 * Every configuration key of a witness, as that of the registry is: the environment, or the JSON
 * file that CONFIG_FILE names. What both have means the same.
 */
const witnessSchema = Type.Object(
  {
    CONFIG_FILE: shared.CONFIG_FILE,
    WITNESS_NAME: Type.Optional(
      text({
        description:
          'Permanent name under which the witness cosigns: a domain of its operator, and a ' +
          'path in it. Required at the first start, then kept in instance.json.',
        pattern: '^[0-9A-Za-z._~:\\[\\]/-]+$',
        maxLength: 200,
        accepts: 'a host name, perhaps with a path, such as witness.example.org/w1',
      }),
    ),
    WITNESS_MLDSA: flag({
      description:
        'Whether the witness also signs with an ML-DSA-44 key, which its first start with ' +
        'this setting creates. Programs that know only its Ed25519 key ignore that line.',
      default: true,
    }),
    WITNESS_CHECKS_MAP: flag({
      description:
        'Whether the witness reads the entries of its logs and cosigns only checkpoints with a ' +
        'map that it has computed itself. Only the first start reads it, because such a witness ' +
        'has a key of its own. `arklog witness --checks-map` sets it.',
      default: false,
    }),
    DATA_DIR: path({
      description: 'Folder for all data of the witness.',
      default: './witness-data',
    }),
    KEYS_DIR: shared.KEYS_DIR,
    HOST: shared.HOST,
    PORT: listenPort(3002),
    BASE_URL: Type.Optional(
      httpAddress({
        description:
          'Public address at which logs reach the witness. Default: HOST and PORT over http.',
        accepts: 'https://host or https://host/path',
      }),
    ),
    ...serverKeys,
    LIMIT_NEW_CHECKPOINTS: rateLimit(
      'minute',
      600,
      'New checkpoints to cosign, per log. `witness add-log --rate` sets another limit for ' +
        'one log.',
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

const { read, load, misspelled } = settingsReader<WitnessConfig>({
  keys: witnessKeys,
  listedIn: 'docs/configuration.md',
  crossFaults,
})

/** A witness' configuration, as `SettingsReader` reads and loads it. */
export { read as readWitnessConfig, load as loadWitnessConfig }

/** What of a configuration, and of the environment it is read from, an operator should know. */
export function witnessWarnings(config: WitnessConfig, env: ProcessEnv): string[] {
  const { RATE_LIMITS, LIMIT_ADD_CHECKPOINT, LIMIT_NEW_CHECKPOINTS } = config
  const warnings = misspelled(env)
  const limits = { LIMIT_ADD_CHECKPOINT, LIMIT_NEW_CHECKPOINTS }
  const lifted = Object.entries(limits).filter(([, limit]) => !RATE_LIMITS || limit === 'off')
  if (lifted.length > 0) {
    const names = lifted.map(([name]) => name).join(', ')
    warnings.push(`Submissions are not limited (${names}).`)
  }
  return warnings
}

function crossFaults(values: Partial<WitnessConfig>): ConfigFault[] {
  const { BASE_URL: address } = values
  const isWrong = address !== undefined && !isUsableAddress(address)
  const accepts = 'an address that can be reached'
  return [
    ...(isWrong ? [{ key: 'BASE_URL', message: wrongValue('BASE_URL', address, accepts) }] : []),
    ...proxyFaults(values.TRUST_PROXY),
    ...portFaults(values),
  ]
}

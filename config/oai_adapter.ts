import { type Static, Type } from 'typebox'

import { isLoopback, isUsableAddress, portFaults, proxyFaults } from '#config/config.ts'
import { configSchema, serverKeys } from '#config/schema.ts'
import {
  type ConfigFault,
  httpAddress,
  keysOf,
  lineOfText,
  listenPort,
  oneOf,
  path,
  type ProcessEnv,
  settingsReader,
  text,
  wrongValue,
} from '#config/settings.ts'

const shared = configSchema.properties

/** The formats of records. */
const oaiFormats = ['oai_dc', 'oai_datacite', 'mods', 'oai_openaire', 'svc'] as const

/**
 * Every configuration key of the OAI-PMH adapter, as that of the registry is: the environment, or
 * the JSON file that CONFIG_FILE names. What both have means the same.
 */
const adapterSchema = Type.Object(
  {
    CONFIG_FILE: shared.CONFIG_FILE,
    SVC_URL: httpAddress({
      description: 'Address of the registry to harvest. Required.',
      accepts: 'https://host or http://host:port',
    }),
    SVC_API_KEY: Type.Optional(
      Type.String({
        description:
          'Key of the registry with the scope works:read. With a key of its sandbox ' +
          '(svc_test_…), the works of the sandbox are harvested. Required, unless ' +
          'SVC_API_KEY_FILE is given.',
        unit: '',
        maxLength: 1_000,
        accepts: 'an API key',
      }),
    ),
    SVC_API_KEY_FILE: Type.Optional(
      path({ description: 'File that contains only this key (mode 0600).' }),
    ),
    SVC_PUBLIC_URL: Type.Optional(
      httpAddress({
        description: 'Address of the registry in links to its works. Default: SVC_URL.',
        accepts: 'https://host or http://host:port',
      }),
    ),
    REPOSITORY_NAME: lineOfText({
      description: 'Name of the repository, for people. Required.',
    }),
    ADMIN_EMAIL: text({
      description: 'Contact address of the repository. Required.',
      pattern: '^\\w[\\w.-]+@(?!localhost)[A-Za-z0-9.-]+\\.[a-z]{2,}$',
      maxLength: 254,
      accepts: 'a mail address such as oai@example.org, without mailto:',
    }),
    BASE_URL: httpAddress({
      description: 'Public address of the adapter. Harvesters use `/oai` below it. Required.',
      accepts: 'https://host or https://host/path',
    }),
    ORGANIZATION_FILTER: Type.Optional(
      text({
        description:
          'Slug of the one organization whose works are harvested. Default: all organizations.',
        pattern: '^[a-z0-9]+(?:-[a-z0-9]+)*$',
        maxLength: 63,
        accepts: 'the slug of an organization, such as brown-university',
      }),
    ),
    METADATA_PREFIX: Type.Optional(
      oneOf(oaiFormats, {
        description: 'The only format to offer. OAI-PMH requires oai_dc. Default: all.',
      }),
    ),
    ENABLE_SETS: shared.ENABLE_SETS,
    MAX_RECORDS_PER_REQUEST: shared.MAX_RECORDS_PER_REQUEST,
    RESUMPTION_TOKEN_TTL: shared.RESUMPTION_TOKEN_TTL,
    DATA_DIR: path({
      description: 'Folder for the adapter’s copy of the records.',
      default: './oai-data',
    }),
    HOST: shared.HOST,
    PORT: listenPort(3001),
    ...serverKeys,
    LIMIT_OAI: shared.LIMIT_OAI,
  },
  { additionalProperties: false },
)

/** A complete configuration of the adapter. */
export type AdapterConfig = Readonly<Static<typeof adapterSchema>>

/** All keys in the order of the schema. */
export const adapterKeys = keysOf<keyof AdapterConfig>(adapterSchema.properties)

const { read, load, misspelled } = settingsReader<AdapterConfig>({
  keys: adapterKeys,
  listedIn: 'docs/harvesting.md',
  crossFaults,
})

/** The adapter's configuration, as `SettingsReader` reads and loads it. */
export { read as readAdapterConfig, load as loadAdapterConfig }

/** What of a configuration, and of the environment it is read from, an operator should know. */
export function adapterWarnings(config: AdapterConfig, env: ProcessEnv): string[] {
  const { SVC_URL, METADATA_PREFIX, RATE_LIMITS, LIMIT_OAI } = config
  const { protocol, hostname } = new URL(SVC_URL)
  const warnings = misspelled(env)
  if (protocol === 'http:' && !isLoopback(hostname)) {
    warnings.push(`SVC_URL is ${SVC_URL}, so the key crosses the network unencrypted.`)
  }
  if (METADATA_PREFIX !== undefined && METADATA_PREFIX !== 'oai_dc') {
    warnings.push('METADATA_PREFIX excludes oai_dc, which OAI-PMH requires.')
  }
  if (!RATE_LIMITS || LIMIT_OAI === 'off') warnings.push('Harvesters are not limited (LIMIT_OAI).')
  return warnings
}

function crossFaults(values: Partial<AdapterConfig>): ConfigFault[] {
  return [
    ...keyFaults(values),
    ...addressFaults(values, ['SVC_URL', 'SVC_PUBLIC_URL', 'BASE_URL']),
    ...proxyFaults(values.TRUST_PROXY),
    ...portFaults(values),
  ]
}

/** No message repeats the key. */
function keyFaults({ SVC_API_KEY: key, SVC_API_KEY_FILE: file }: Partial<AdapterConfig>) {
  if ((key === undefined) === (file === undefined)) {
    const message = 'Give either SVC_API_KEY or SVC_API_KEY_FILE, not both.'
    return [{ key: 'SVC_API_KEY', message }]
  }
  if (key === undefined || /^[\x21-\x7e]+$/.test(key)) return []
  return [
    { key: 'SVC_API_KEY', message: 'SVC_API_KEY must be an API key: it has other characters.' },
  ]
}

function addressFaults(
  values: Partial<AdapterConfig>,
  keys: readonly ('SVC_URL' | 'SVC_PUBLIC_URL' | 'BASE_URL')[],
): ConfigFault[] {
  return keys.flatMap((key) => {
    const address = values[key]
    if (address === undefined || isUsableAddress(address)) return []
    return [{ key, message: wrongValue(key, address, 'an address that can be reached') }]
  })
}

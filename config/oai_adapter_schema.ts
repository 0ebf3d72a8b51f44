import { type Static, Type } from 'typebox'
import { integer, keysOf, path, text } from '#config/key_schema.ts'
import { configSchema } from '#config/schema.ts'
import { sendingKeys } from '#config/sending_keys.ts'

const {
  CONFIG_FILE,
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
  MAX_RECORDS_PER_REQUEST,
  RESUMPTION_TOKEN_TTL,
  ENABLE_SETS,
  RATE_LIMITS,
  LIMIT_OAI,
} = configSchema.properties

const addressForm = '^https?://[^/?#@\\s]+(/[0-9A-Za-z._~-]+)*/?$'

/** The formats of records. */
const oaiFormats = ['oai_dc', 'oai_datacite', 'svc'] as const

/**
 * Every configuration key of the OAI-PMH adapter, as that of the registry is: the environment, or
 * the JSON file that CONFIG_FILE names. What both have means the same.
 */
export const adapterSchema = Type.Object(
  {
    CONFIG_FILE,
    SVC_URL: text({
      description: 'Address of the registry whose works are harvested. Required.',
      pattern: addressForm,
      maxLength: 255,
      accepts: 'https://host or http://host:port',
    }),
    SVC_API_KEY: Type.Optional(
      Type.String({
        description:
          'Key of the registry with the scope works:read; a key of its sandbox (svc_test_…) has ' +
          'the works of the sandbox harvested. Required, unless SVC_API_KEY_FILE is given.',
        unit: '',
        maxLength: 1_000,
        accepts: 'an API key',
      }),
    ),
    SVC_API_KEY_FILE: Type.Optional(
      path({ description: 'File that holds this key alone (mode 0600).' }),
    ),
    SVC_PUBLIC_URL: Type.Optional(
      text({
        description: 'Address of the registry in links to its works. Default: SVC_URL.',
        pattern: addressForm,
        maxLength: 255,
        accepts: 'https://host or http://host:port',
      }),
    ),
    REPOSITORY_NAME: text({
      description: 'Name of the repository, for people. Required.',
      pattern: '^[^\\p{Cc}]*[^\\p{Cc}\\s][^\\p{Cc}]*$',
      maxLength: 200,
      accepts: 'a name of up to 200 characters in one line',
    }),
    ADMIN_EMAIL: text({
      description: 'Address of who looks after the repository. Required.',
      pattern: '^\\w[\\w.-]+@(?!localhost)[A-Za-z0-9.-]+\\.[a-z]{2,}$',
      maxLength: 254,
      accepts: 'a mail address such as oai@example.org, without mailto:',
    }),
    BASE_URL: text({
      description: 'Public address of the adapter; harvesters use `/oai` below it. Required.',
      pattern: addressForm,
      maxLength: 255,
      accepts: 'https://host or https://host/path',
    }),
    ORGANIZATION_FILTER: Type.Optional(
      text({
        description:
          'Slug of the one organization whose works are harvested. Default: those of all.',
        pattern: '^[a-z0-9]+(?:-[a-z0-9]+)*$',
        maxLength: 63,
        accepts: 'the slug of an organization, such as brown-university',
      }),
    ),
    METADATA_PREFIX: Type.Optional(
      Type.Union(
        oaiFormats.map((prefix) => Type.Literal(prefix)),
        {
          description:
            'The only format that is offered; the protocol wants it to be oai_dc. Default: all.',
          unit: '',
          accepts: `one of ${oaiFormats.join(', ')}`,
        },
      ),
    ),
    ENABLE_SETS,
    MAX_RECORDS_PER_REQUEST,
    RESUMPTION_TOKEN_TTL,
    DATA_DIR: path({
      description: 'Folder of the copy of the records that the adapter serves from.',
      default: './oai-data',
    }),
    HOST,
    PORT: integer({
      description: 'TCP port to listen on; 0 picks a free one.',
      unit: '',
      default: 3001,
      minimum: 0,
      maximum: 65_535,
    }),
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
    LIMIT_OAI,
  },
  { additionalProperties: false },
)

/** A complete configuration of the adapter. */
export type AdapterConfig = Readonly<Static<typeof adapterSchema>>

/** All keys in the order of the schema. */
export const adapterKeys = keysOf<keyof AdapterConfig>(adapterSchema.properties)

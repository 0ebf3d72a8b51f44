import { type Static, Type } from 'typebox'

import {
  flag,
  httpAddress,
  integer,
  integerOrOff,
  keysOf,
  lineOfText,
  list,
  listenHost,
  listenPort,
  mebibyte,
  oneOf,
  path,
  rateLimit,
  text,
} from '#config/settings.ts'

const signUps = ['open', 'invite', 'off'] as const

/** Who may make an account. */
export type SignUp = (typeof signUps)[number]

/** The keys of who has an account, and what is asked of administrators. */
const accountKeys = {
  SIGN_UP: oneOf(signUps, {
    description:
      'Who can create an account: everybody, people with a link from `arklog account ' +
      'invite`, or nobody.',
    default: 'open',
  }),
  ADMINS_NEED_SECOND_STEP: flag({
    description:
      'Whether administrators must set up a second step before they can act as ' +
      'administrators (docs/accounts.md#the-second-step).',
    default: false,
  }),
}

const minuteMs = 60_000
const dayMs = 86_400_000

/** The keys of when the clock is not believed, and nothing is dated by it. */
const clockKeys = {
  CLOCK_STEP_MS: integer({
    description:
      'How far the clock can differ from other evidence: the time that the machine has run, ' +
      'the file system, most other machines. Beyond that, writes get 503.',
    unit: 'ms',
    default: 10 * minuteMs,
    minimum: minuteMs,
    maximum: dayMs,
  }),
  CLOCK_GAP_MS: integer({
    description:
      'How long a registry can be off before its machine starts again. After a longer ' +
      'time, an operator must accept the clock (docs/operations.md#the-clock).',
    unit: 'ms',
    default: 30 * dayMs,
    minimum: 60 * minuteMs,
    maximum: 3_650 * dayMs,
  }),
  CLOCK_BEHIND_MS: integer({
    description:
      'How far the clock can be behind the newest entry of the log. Beyond that, writes ' +
      'get 503.',
    unit: 'ms',
    default: 10 * minuteMs,
    minimum: 10_000,
    maximum: dayMs,
  }),
}

/** The form of a node's name: one token of a NATS subject, and a host name. */
export const nodeNamePattern = '^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$'

/** The keys of a registry that several nodes run. */
const clusterKeys = {
  CLUSTER_URL: Type.Optional(
    text({
      description:
        'NATS servers over which several nodes run one registry, comma-separated. Default: a ' +
        'single node.',
      pattern: '^(nats|tls)://[^\\s@/]+(,\\s*(nats|tls)://[^\\s@/]+)*$',
      maxLength: 2_000,
      accepts: 'nats://host:port of each server, with commas between them and no password',
    }),
  ),
  CLUSTER_NODE: Type.Optional(
    text({
      description: 'Name of this node, unique in the cluster.',
      pattern: nodeNamePattern,
      maxLength: 63,
      accepts: '1 to 63 lower-case letters, digits and inner hyphens, such as registry-2',
    }),
  ),
  CLUSTER_CREDENTIALS: Type.Optional(
    path({
      description:
        'File of mode 0600 with `user:password`, or a `.creds` file, for the NATS servers. ' +
        'Default: no authentication.',
    }),
  ),
  CLUSTER_CA_FILE: Type.Optional(
    path({
      description:
        'PEM file of the authority that signed the certificates of the NATS servers ' +
        '(tls://). Default: the authorities of the system.',
    }),
  ),
  CLUSTER_LEASE_MS: integer({
    description:
      'Time after which another node becomes leader if the leader is silent. It must be ' +
      'the same on all nodes.',
    unit: 'ms',
    default: 5_000,
    minimum: 1_000,
    maximum: 60_000,
  }),
  CLUSTER_CONTACT_MS: integer({
    description:
      'Time without contact after which a node refuses keys, tokens and sessions, because ' +
      'it cannot know which of them were revoked.',
    unit: 'ms',
    default: 10_000,
    minimum: 2_000,
    maximum: 60_000,
  }),
}

/** The keys of having the log signed and witnessed. */
const cosigningKeys = {
  LOG_MLDSA: flag({
    description:
      'Whether the logs sign each checkpoint with an ML-DSA-44 key, too, which follows from the ' +
      'key file of the log. Programs that know only its Ed25519 key ignore that line.',
    default: false,
  }),
  WITNESS_POLICY: Type.Optional(
    path({
      description:
        'File that names the witnesses of the log and the quorum (C2SP tlog-policy). ' +
        'Default: the log has no witnesses.',
    }),
  ),
  WITNESS_INTERVAL_MS: integer({
    description: 'Minimum time between two checkpoints that are sent to the witnesses.',
    unit: 'ms',
    default: 1_000,
    minimum: 100,
    maximum: 3_600_000,
  }),
  MAP_INTERVAL_MS: Type.Optional(
    integer({
      description:
        'Minimum time between two map leaves in the log. 0: the log has no map. ' +
        'Default: 1000 where the log has witnesses, otherwise 0.',
      unit: 'ms',
      minimum: 0,
      maximum: 3_600_000,
    }),
  ),
}

/** The keys of how replies leave a server, which each of our servers has. */
const sendingKeys = {
  SEND_STALL_MS: integer({
    description:
      'Time within which a client must read some of a reply. Otherwise its connection is ' +
      'closed.',
    unit: 'ms',
    default: 30_000,
    minimum: 1_000,
    maximum: 3_600_000,
  }),
  UNSENT_BYTES_MAX: integer({
    description: 'Bytes of long replies that clients have not read yet, in all.',
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

/** The keys of what the stores hold in memory, and leave on the disk. */
const storeKeys = {
  STORE_WRITE_BUFFER_BYTES: integer({
    description: 'Memory in which a store collects rows before it writes a table file.',
    unit: 'bytes',
    default: 64 * mebibyte,
    minimum: mebibyte,
    maximum: 1024 * mebibyte,
  }),
  STORE_CACHE_BYTES: integer({
    description: 'Memory for blocks that a store has read.',
    unit: 'bytes',
    default: 16 * mebibyte,
    minimum: mebibyte,
    maximum: 16_384 * mebibyte,
  }),
  REPLY_CACHE_BYTES: integer({
    description: 'Memory for replies that are read often.',
    unit: 'bytes',
    default: 32 * mebibyte,
    minimum: mebibyte,
    maximum: 16_384 * mebibyte,
  }),
  DISK_RESERVE_BYTES: integer({
    description: 'Free disk space below which writes get 503.',
    unit: 'bytes',
    default: 128 * mebibyte,
    minimum: 0,
    maximum: 1_048_576 * mebibyte,
  }),
}

/** The keys of how pages look. */
const lookKeys = {
  LOGO_FILE: Type.Optional(
    path({
      description:
        'SVG or PNG file of at most 64 KiB, which pages show before the name of the registry ' +
        'and browsers beside their titles. Default: the mark of Arklog.',
    }),
  ),
  ACCENT_COLOR: Type.Optional(
    text({
      description:
        'Colour of links and buttons. It is made darker or lighter where it could not be read. ' +
        'Default: blue.',
      pattern: '^#[0-9a-fA-F]{6}$',
      maxLength: 7,
      accepts: 'a colour such as #7a1f3d',
    }),
  ),
  IMPRINT_URL: Type.Optional(
    text({
      description: 'Page that says who is responsible, to which the footer of pages links.',
      pattern: '^https?://[^\\s"<>]+$',
      maxLength: 500,
      accepts: 'https://host/path or http://host/path',
    }),
  ),
}

const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const

/**
 * Every configuration key: what it means, its unit, its limits and its default. The same names
 * serve in the environment and in the JSON file that CONFIG_FILE names; nothing else reads either.
 */
export const configSchema = Type.Object(
  {
    CONFIG_FILE: Type.Optional(
      path({
        description:
          'JSON file with any of the other keys. The environment takes precedence. Set it in ' +
          'the environment only.',
      }),
    ),
    DATA_DIR: path({
      description: 'Folder for all data of the registry.',
      default: './data',
    }),
    KEYS_DIR: Type.Optional(
      path({
        description:
          'Folder for the private keys (PEM files of mode 0600). Default: `keys` in DATA_DIR.',
      }),
    ),
    HOST: listenHost('Address to listen on. `0.0.0.0` or `::` means every interface.'),
    PORT: listenPort(3000),
    BASE_URL: Type.Optional(
      text({
        description:
          'Public address of the registry, used in all its links. Default: HOST and PORT over ' +
          'http.',
        pattern: '^https?://[^/?#@\\s]+/?$',
        maxLength: 255,
        accepts: 'https://host or https://host:port, without a path',
      }),
    ),
    ORIGIN: Type.Optional(
      text({
        description:
          'Permanent name of the log: read at the first start, then kept in instance.json. ' +
          'Default: host and port of BASE_URL, then `/log`.',
        pattern: '^[0-9A-Za-z._~:\\[\\]/-]+/log$',
        maxLength: 200,
        accepts: 'a host name and path that ends in /log, without https://',
      }),
    ),
    TRUST_PROXY: list(100, {
      description:
        'Addresses or networks of the proxies whose X-Forwarded-For is trusted ' +
        '(comma-separated in the environment).',
      accepts: 'a list of IP addresses or networks such as 10.0.0.0/8',
    }),
    ARK_NAAN: text({
      description: 'Name Assigning Authority Number under which live works are minted.',
      default: '12345',
      pattern: '^[0-9bcdfghjkmnpqrstvwxz]{1,16}$',
      maxLength: 16,
      accepts: '1 to 16 characters of 0123456789bcdfghjkmnpqrstvwxz',
    }),
    ARK_SHOULDER: text({
      description: 'Prefix of every minted name.',
      default: 'k2',
      pattern: '^[bcdfghjkmnpqrstvwxz]+[0-9]$',
      maxLength: 18,
      accepts: 'consonants and one final digit, such as k2',
    }),
    ARK_DATED: flag({
      description: 'Mint `ark:/NAAN/ddmmyyyy/name` rather than `ark:/NAAN/name`; both resolve.',
      default: false,
    }),
    N2T_REDIRECT: flag({
      description: 'Redirect ARKs of other authorities to n2t.net; otherwise they are 404.',
      default: true,
    }),
    ADMIN_PORT: integerOrOff({
      description: 'TCP port of the Prometheus metrics, and of `/readyz` with all reasons.',
      unit: '',
      default: 'off',
      minimum: 1,
      maximum: 65_535,
    }),
    ADMIN_HOST: listenHost('Address on which ADMIN_PORT listens.'),
    EDGE_THREADS: Type.Optional(
      integer({
        description:
          'Threads that answer requests, in addition to the registry’s own thread. With 0, ' +
          'that one does both. Default: one less than the number of cores, at least 1. As many ' +
          'as cores answer more reads if little is registered. Each takes about 70 MB, and up ' +
          'to 125 MB under attack.',
        unit: 'threads',
        minimum: 0,
        maximum: 256,
      }),
    ),
    LOG_LEVEL: oneOf(logLevels, {
      description: 'Lowest level of messages that are logged (JSON lines on standard error).',
      default: 'info',
    }),
    SHUTDOWN_GRACE_MS: integer({
      description: 'Time for requests in progress to finish after SIGTERM. Then the process ends.',
      unit: 'ms',
      default: 10_000,
      minimum: 100,
      maximum: 600_000,
    }),
    CONNECTIONS_MAX: integer({
      description: 'Open connections at a time. More are closed.',
      unit: 'connections',
      default: 10_000,
      minimum: 1,
      maximum: 1_000_000,
    }),
    CONNECTIONS_PER_ADDRESS_MAX: integerOrOff({
      description:
        'Open connections of one address (IPv6: of one /64) at a time. More get 429 and are ' +
        'closed. There is no limit for addresses in TRUST_PROXY, nor for anyone while ' +
        'RATE_LIMITS is off.',
      unit: 'connections',
      default: 256,
      minimum: 1,
      maximum: 1_000_000,
    }),
    ...sendingKeys,
    ...storeKeys,
    ...clockKeys,
    ...cosigningKeys,
    ...clusterKeys,
    FETCH_CONTENT: flag({
      description:
        'Whether the content of works is fetched and checked. If not, versions keep their ' +
        'state and new ones stay pending.',
      default: true,
    }),
    FETCH_ALLOW: list(300, {
      description:
        'Private hosts that can be fetched, each with its port (comma-separated in the ' +
        'environment). Anyone who can register works can then learn whether they answer, and ' +
        'the hashes of what they serve.',
      accepts: 'a list of hosts with ports such as files.intranet:8080',
    }),
    EGRESS_PROXY: Type.Optional(
      text({
        description:
          'HTTP proxy for fetches, except from hosts in FETCH_ALLOW. It must refuse names that ' +
          'resolve to private addresses. Default: no proxy.',
        pattern: '^[^\\s]+$',
        maxLength: 1_000,
        accepts: 'http://host:port or https://host:port, without a path',
      }),
    ),
    FETCH_BYTES_MAX: integer({
      description: 'Longest content that is hashed. FETCH_TOTAL_MS must leave time to read it.',
      unit: 'bytes',
      default: 2_048 * mebibyte,
      minimum: 1,
      maximum: 1_048_576 * mebibyte,
    }),
    FETCH_TOTAL_MS: integer({
      description: 'Time for one fetch, with redirects and the whole content.',
      unit: 'ms',
      default: 120_000,
      minimum: 1_000,
      maximum: 86_400_000,
    }),
    FETCH_CONCURRENCY_MAX: integer({
      description: 'Fetches at a time.',
      unit: 'fetches',
      default: 16,
      minimum: 1,
      maximum: 1_000,
    }),
    FETCH_HOST_CONCURRENCY_MAX: integer({
      description: 'Fetches at a time from one host.',
      unit: 'fetches',
      default: 2,
      minimum: 1,
      maximum: 1_000,
    }),
    FETCH_HOST_INTERVAL_MS: integer({
      description: 'Minimum time between two requests to one host.',
      unit: 'ms',
      default: 50,
      minimum: 0,
      maximum: 60_000,
    }),
    AUTH_URL: Type.Optional(
      text({
        description:
          'Permanent public address of the pages and of the identity provider, named in ' +
          'tokens. If its host is not that of BASE_URL, it must also reach this server. ' +
          'Default: `/auth` below BASE_URL.',
        pattern: '^https?://[^/?#@\\s]+(/[0-9A-Za-z._~-]+)*$',
        maxLength: 255,
        accepts: 'https://host or https://host/path, without a slash at its end',
      }),
    ),
    AUTH_PORT: integerOrOff({
      description: 'A second TCP port to listen on, for an AUTH_URL whose proxy needs one.',
      unit: '',
      default: 'off',
      minimum: 1,
      maximum: 65_535,
    }),
    ...accountKeys,
    SMTP_URL: Type.Optional(
      Type.String({
        description:
          'Mail server for confirmations, resets and notices, with user and password if it ' +
          'needs them. Default: no mail is sent, and operators hand out reset links.',
        unit: '',
        maxLength: 1_000,
        accepts: 'smtp://host:port or smtps://user:password@host:port',
      }),
    ),
    MAIL_FROM: Type.Optional(
      text({
        description: 'Sender of that mail.',
        pattern: '^(?:[^<>@\\r\\n]+ )?<?[^<>@\\s]+@[^<>@\\s]+>?$',
        maxLength: 300,
        accepts: 'an address such as Registry <registry@example.org>',
      }),
    ),
    UPSTREAM_ISSUERS: Type.Optional(
      path({
        description:
          'JSON file with other OpenID Providers that people can sign in with, such as ORCID ' +
          'or an institution. Default: none.',
      }),
    ),
    DATA_DUMPS: flag({
      description: 'Whether all works are written to public files each day, at /data.',
      default: true,
    }),
    SEARCH: flag({
      description: 'Whether works, people and organizations are indexed and can be searched.',
      default: true,
    }),
    SEARCH_URL: Type.Optional(
      httpAddress({
        description:
          'Meilisearch server for searches. While it is not available, the embedded index ' +
          'answers. Default: only the embedded index.',
        accepts: 'https://host or http://host:port',
      }),
    ),
    SEARCH_KEY_FILE: Type.Optional(
      path({
        description:
          'File with the key of that server, which permits documents, settings, tasks, indexes ' +
          'and search.',
      }),
    ),
    SEARCH_QUERY_MS: integer({
      description: 'Time for one search of the embedded index. A longer one ends with 504.',
      unit: 'ms',
      default: 2_000,
      minimum: 100,
      maximum: 60_000,
    }),
    REPOSITORY_NAME: lineOfText({
      description: 'Name of the registry on its pages, in harvests, feeds and descriptions.',
      default: 'Arklog',
    }),
    ...lookKeys,
    ADMIN_EMAIL: Type.Optional(
      text({
        description:
          'Contact address of the registry in harvests. Default: that of MAIL_FROM, or ' +
          'webmaster at the host of BASE_URL.',
        pattern: '^\\w[\\w.-]+@(?!localhost)[A-Za-z0-9.-]+\\.[a-z]{2,}$',
        maxLength: 254,
        accepts: 'a mail address such as oai@example.org, without mailto:',
      }),
    ),
    OPERATOR_NAME: Type.Optional(
      lineOfText({
        description: 'Who runs the registry, as shown on the contact page.',
      }),
    ),
    PRIVACY_URL: Type.Optional(
      text({
        description: 'The operator’s own privacy statement, to which the privacy page links.',
        pattern: '^https?://[^\\s"<>]+$',
        maxLength: 500,
        accepts: 'https://host/path or http://host/path',
      }),
    ),
    MAX_RECORDS_PER_REQUEST: integer({
      description: 'Records or headers on one page of a harvest.',
      unit: 'records',
      default: 250,
      minimum: 1,
      maximum: 1_000,
    }),
    RESUMPTION_TOKEN_TTL: integer({
      description: 'Time for which a harvest can continue after each page.',
      unit: 's',
      default: 86_400,
      minimum: 60,
      maximum: 31_536_000,
    }),
    ENABLE_SETS: flag({
      description: 'Whether harvesters can request the works of one organization.',
      default: true,
    }),
    RATE_LIMITS: flag({
      description: 'Whether the limits below apply.',
      default: true,
    }),
    LIMIT_RESOLVE: rateLimit('hour', 1_000, 'Resolving an ARK, per address.'),
    LIMIT_PUBLIC_READ: rateLimit('hour', 1_000, 'Other reads without a key, per address.'),
    LIMIT_WORKS_READ: rateLimit('minute', 100, 'Reading works, per key.'),
    LIMIT_WORKS_CREATE: rateLimit('minute', 50, 'Registering single works, per key.'),
    LIMIT_WORKS_UPDATE: rateLimit('minute', 50, 'Updating works, per key.'),
    LIMIT_WORKS_VERSION: rateLimit('minute', 50, 'Adding versions, per key.'),
    LIMIT_WORKS_WITHDRAW: rateLimit('minute', 50, 'Withdrawing works, per key.'),
    LIMIT_WORKS_BULK: rateLimit('minute', 60, 'Files read and bulk changes prepared, per key.'),
    LIMIT_BULK_WORKS: rateLimit(
      'minute',
      60_000,
      'Works registered or changed in bulk, per key. A request counts as at least one for ' +
        'each 8 KiB.',
      'works',
    ),
    LIMIT_RECEIPTS: rateLimit('minute', 200, 'Receipts, proofs and their verification, per key.'),
    LIMIT_VERIFY: rateLimit('minute', 60, 'Verification without a key, per address.'),
    LIMIT_PEOPLE: rateLimit('minute', 200, 'Reading people and their records, per key.'),
    LIMIT_WRITE_BACK: rateLimit(
      'minute',
      60,
      'Writing profiles, affiliations, education and claims, per key.',
    ),
    LIMIT_SEARCH: rateLimit('minute', 200, 'Search, per key.'),
    LIMIT_SEARCH_PAGE: rateLimit(
      'minute',
      60,
      'Searches on the search page, without a key, per address.',
    ),
    LIMIT_SUGGESTIONS: rateLimit('minute', 240, 'Suggested titles while typing, per address.'),
    LIMIT_CHANGES: rateLimit('minute', 600, 'The change feed, per key.'),
    LIMIT_OAI: rateLimit('minute', 1_200, 'Requests of harvesters (OAI-PMH), per address.'),
    LIMIT_LOG: rateLimit('minute', 6_000, 'The transparency log, per address.'),
    LIMIT_TOKEN: rateLimit('minute', 30, 'Tokens issued, per application and address.'),
    LIMIT_OAUTH: rateLimit('minute', 300, 'The rest of the identity provider, per address.'),
    LIMIT_FAILED_CREDENTIALS: rateLimit('minute', 30, 'Invalid credentials, per address.'),
    LIMIT_PAGES: rateLimit('minute', 300, 'Pages of accounts and about the registry, per address.'),
    LIMIT_REPORTS: rateLimit('hour', 10, 'Problems of works reported, per address.'),
    LIMIT_SIGN_IN: rateLimit('minute', 30, 'Passwords tried, per address.'),
    LIMIT_SIGN_IN_ACCOUNT: rateLimit('hour', 60, 'Passwords tried, per account.'),
    LIMIT_SIGN_UP: rateLimit('hour', 30, 'Accounts created, per address.'),
    LIMIT_RESET: rateLimit('hour', 10, 'Reset links requested, per address and per account.'),
  },
  { additionalProperties: false },
)

const { properties } = configSchema

/** What every server of ours is set by, and means the same for each. */
export const serverKeys = {
  TRUST_PROXY: properties.TRUST_PROXY,
  ADMIN_PORT: properties.ADMIN_PORT,
  ADMIN_HOST: properties.ADMIN_HOST,
  LOG_LEVEL: properties.LOG_LEVEL,
  SHUTDOWN_GRACE_MS: properties.SHUTDOWN_GRACE_MS,
  CONNECTIONS_MAX: properties.CONNECTIONS_MAX,
  CONNECTIONS_PER_ADDRESS_MAX: properties.CONNECTIONS_PER_ADDRESS_MAX,
  ...sendingKeys,
  STORE_WRITE_BUFFER_BYTES: properties.STORE_WRITE_BUFFER_BYTES,
  STORE_CACHE_BYTES: properties.STORE_CACHE_BYTES,
  RATE_LIMITS: properties.RATE_LIMITS,
}

/** A complete configuration; keys without a default stay absent until they are given. */
export type Config = Readonly<Static<typeof configSchema>>

/** All keys in the order of the schema. */
export const configKeys = keysOf<keyof Config>(configSchema.properties)

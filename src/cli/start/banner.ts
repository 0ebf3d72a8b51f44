import type { Config } from '#config/schema.ts'
import type { Address } from '#src/cli/start/address.ts'

/** The key that a first start prints once. */
export type FirstKey = {
  readonly key: string
  readonly owner: string
  readonly scopes: readonly string[]
  readonly expires_at: string
}

/** What a start tells the person who started it. */
export type StartFacts = {
  readonly address: Address
  readonly dataDir: string
  readonly origin: string
  /** The key that verifies the checkpoints of the log. */
  readonly vkey: string
  readonly firstKey: FirstKey | undefined
  /** The one-time link that makes the first administrator, as long as there is none. */
  readonly setupUrl: string | undefined
  readonly warnings: readonly string[]
}

/** A title, rows of a label and a value, and what else there is to say. */
function formatStart(
  title: string,
  rows: Readonly<Record<string, string | number>>,
  more: readonly string[],
  { warnings }: { readonly warnings: readonly string[] },
): string {
  const width = Math.max(...Object.keys(rows).map(({ length }) => length)) + 2
  const lines = [
    title,
    '',
    ...Object.entries(rows).map(([label, value]) => `  ${label.padEnd(width)}${value}`),
    '',
    ...more,
    ...warnings.map((warning) => `WARNING: ${warning}`),
  ]
  return `${lines.join('\n').trimEnd()}\n`
}

/** Text for people. */
export function formatBanner(facts: StartFacts): string {
  const { address, dataDir: data, origin: log, vkey: key, firstKey, setupUrl } = facts
  const rows = { 'data  ': data, log, key, docs: `${urlForReaders(address)}/docs` }
  return formatStart(
    `Arklog is ready at ${address.baseUrl}`,
    rows,
    [
      ...(firstKey === undefined ? keyHint : firstKeyLines(address, firstKey)),
      ...(setupUrl === undefined ? [] : setupLines(setupUrl)),
    ],
    facts,
  )
}

/** One JSON value for programs. */
export function bannerJson(facts: StartFacts): Record<string, unknown> {
  const { address, firstKey } = facts
  return {
    base_url: address.baseUrl,
    local_url: address.localUrl,
    data_dir: facts.dataDir,
    origin: facts.origin,
    vkey: facts.vkey,
    first_key: firstKey ?? null,
    setup_url: facts.setupUrl ?? null,
    first_curl: firstKey === undefined ? null : firstCurl(address, firstKey.key),
    warnings: facts.warnings,
  }
}

/**
 * Where the reader of the banner finds the registry. One that listens on all addresses may be in a
 * container, where the name of its machine leads nowhere.
 */
function urlForReaders({ host, baseUrl, localUrl }: Address): string {
  return ['0.0.0.0', '::'].includes(host) ? baseUrl : localUrl
}

const keyHint = [
  'Create a key:',
  '',
  '  npm run -s arklog -- key create --owner org:demo --scopes works:read,works:write',
  '',
]

function firstKeyLines(address: Address, firstKey: FirstKey): string[] {
  return [
    `First key, for ${firstKey.owner}, valid until ${firstKey.expires_at} and shown only now:`,
    '',
    `  ${firstKey.key}`,
    '',
    'Register a first work by pasting this:',
    '',
    ...firstCurl(address, firstKey.key)
      .split('\n')
      .map((line) => `  ${line}`),
    '',
  ]
}

function setupLines(setupUrl: string): string[] {
  return [
    'Create the first administrator in a browser. This link works once:',
    '',
    `  ${setupUrl}`,
    '',
  ]
}

/** A shell command that registers a work; no value in it needs shell quoting of its own. */
function firstCurl(address: Address, key: string): string {
  const work = {
    work_title: 'Notes by the translator',
    work_type: 'article',
    authors: 'Ada Lovelace',
    work_url: 'https://example.org/notes-by-the-translator',
  }
  return [
    `curl -sS ${urlForReaders(address)}/v1/works \\`,
    `  -H 'Authorization: Bearer ${key}' \\`,
    `  -H 'Content-Type: application/json' \\`,
    `  -d '${JSON.stringify(work)}'`,
  ].join('\n')
}

/** What of a configuration an operator should know before the registry is used in earnest. */
export function configWarnings(config: Config): string[] {
  const warnings: string[] = []
  if (config.ARK_NAAN === '12345') {
    warnings.push(
      'EXAMPLE NAAN, NOT FOR PRODUCTION. Works are minted under ark:/12345/, which belongs to ' +
        'everyone. Set ARK_NAAN to a NAAN of your own before you register anything that matters.',
    )
  }
  if (!config.RATE_LIMITS) {
    warnings.push('All rate limits are off (RATE_LIMITS).')
  } else {
    const lifted = Object.entries(config).filter(
      ([key, value]) => key.startsWith('LIMIT_') && value === 'off',
    )
    for (const [key] of lifted) warnings.push(`The limit ${key} is off.`)
  }
  if (config.CONNECTIONS_PER_ADDRESS_MAX === 'off') {
    warnings.push('One address can open all connections (CONNECTIONS_PER_ADDRESS_MAX is off).')
  }
  warnings.push(...fetchWarnings(config))
  if (config.BASE_URL === undefined && ['0.0.0.0', '::'].includes(config.HOST)) {
    warnings.push(
      'BASE_URL is not set, so links and the log name this machine localhost. ' +
        'Set BASE_URL to the public https address.',
    )
  }
  return warnings
}

function fetchWarnings({ FETCH_CONTENT, FETCH_ALLOW }: Config): string[] {
  if (!FETCH_CONTENT) {
    return ['No content is fetched or checked (FETCH_CONTENT).']
  }
  if (FETCH_ALLOW.length === 0) return []
  return [
    `Private hosts can be fetched (FETCH_ALLOW): ${FETCH_ALLOW.join(', ')}. Anyone who can ` +
      'register works can learn whether they answer, and the hashes of what they serve.',
  ]
}

/** What a start of the adapter tells. */
export type AdapterFacts = {
  readonly address: Address
  readonly oaiUrl: string
  readonly registryUrl: string
  readonly dataDir: string
  /** Whether it has all records, as of the time when it last read the registry. */
  readonly complete: boolean
  readonly warnings: readonly string[]
}

/** Text for people. */
export function formatAdapterBanner(facts: AdapterFacts): string {
  const { address, oaiUrl, registryUrl: registry, dataDir: data, complete } = facts
  const look = `${address.localUrl}${new URL(oaiUrl).pathname}?verb=Identify`
  const waiting = ['The adapter first copies the registry. Until then it answers 503.', '']
  const title = `Arklog's OAI-PMH adapter is ready at ${oaiUrl}`
  return formatStart(title, { registry, data, look }, complete ? [] : waiting, facts)
}

/** One JSON value for programs. */
export function adapterBannerJson(facts: AdapterFacts): Record<string, unknown> {
  const { address, oaiUrl, registryUrl, dataDir, complete, warnings } = facts
  return {
    oai_url: oaiUrl,
    local_url: address.localUrl,
    registry_url: registryUrl,
    data_dir: dataDir,
    complete,
    warnings,
  }
}

/** What a start of a bare log tells. */
export type LogFacts = Omit<StartFacts, 'firstKey' | 'setupUrl'>

/** Text for people. */
export function formatLogBanner(facts: LogFacts): string {
  const { address, dataDir: data, origin: log, vkey: key } = facts
  const rows = { 'data  ': data, log, key, look: `${address.localUrl}/log/checkpoint` }
  const adding = [
    'Add an entry. The answer is its leaf index, once a signed checkpoint covers it:',
    '',
    `  curl -sS --data-binary 'an entry' ${address.localUrl}/log/add`,
    '',
  ]
  return formatStart(`Arklog's bare log is ready at ${address.baseUrl}/log`, rows, adding, facts)
}

/** One JSON value for programs. */
export function logBannerJson(facts: LogFacts): Record<string, unknown> {
  const { address, dataDir, origin, vkey, warnings } = facts
  return {
    base_url: address.baseUrl,
    local_url: address.localUrl,
    data_dir: dataDir,
    origin,
    vkey,
    warnings,
  }
}

/** What a start of a witness tells. */
export type WitnessFacts = {
  readonly address: Address
  readonly name: string
  /** Its verifier keys: the one that names it first. */
  readonly vkeys: readonly [string, ...string[]]
  readonly dataDir: string
  /** How many logs it cosigns. */
  readonly logs: number
  readonly warnings: readonly string[]
}

/** Text for people. */
export function formatWitnessBanner(facts: WitnessFacts): string {
  const { address, name, vkeys, dataDir: data, logs } = facts
  const [key] = vkeys
  const rows = { key, data, look: `${address.localUrl}/vkey`, logs }
  const hint = logs > 0 ? [] : ['Add a log: arklog witness add-log <vkey>', '']
  return formatStart(`Arklog's witness ${name} is ready at ${address.baseUrl}`, rows, hint, facts)
}

/** One JSON value for programs. */
export function witnessBannerJson(facts: WitnessFacts): Record<string, unknown> {
  const { address, name, vkeys, dataDir, logs, warnings } = facts
  return {
    base_url: address.baseUrl,
    local_url: address.localUrl,
    name,
    vkey: vkeys[0],
    vkeys,
    data_dir: dataDir,
    logs,
    warnings,
  }
}

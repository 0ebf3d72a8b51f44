import type { Config } from '#config/schema.ts'
import type { Address } from '#src/start/address.ts'

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

/** The start as text for people. */
export function formatBanner(facts: StartFacts): string {
  const { address, firstKey } = facts
  const lines = [
    `Arklog is ready at ${address.baseUrl}`,
    '',
    `  data    ${facts.dataDir}`,
    `  log     ${facts.origin}`,
    `  key     ${facts.vkey}`,
    `  docs    ${urlForReaders(address)}/docs`,
    '',
    ...(firstKey === undefined ? keyHint : firstKeyLines(address, firstKey)),
    ...(facts.setupUrl === undefined ? [] : setupLines(facts.setupUrl)),
    ...facts.warnings.map((warning) => `WARNING: ${warning}`),
  ]
  return `${lines.join('\n').trimEnd()}\n`
}

/** The start as one JSON value for programs. */
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
 * Where whoever reads this finds the registry. One that listens on all addresses may be in a
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
    'Make the first administrator in a browser; this link works once:',
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
    warnings.push('One address may open all connections (CONNECTIONS_PER_ADDRESS_MAX is off).')
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
    return ['No content is fetched, so nobody checks what works link to (FETCH_CONTENT).']
  }
  if (FETCH_ALLOW.length === 0) return []
  return [
    `Private hosts may be fetched (FETCH_ALLOW): ${FETCH_ALLOW.join(', ')}. Who may register ` +
      'works can read whether they answer, and their hashes.',
  ]
}

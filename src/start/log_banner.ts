import type { Address } from '#src/start/address.ts'

/** What a start of a bare log tells the person who started it. */
export type LogFacts = {
  readonly address: Address
  readonly dataDir: string
  readonly origin: string
  /** The key that verifies the checkpoints of the log. */
  readonly vkey: string
  readonly warnings: readonly string[]
}

/** The start as text for people. */
export function formatLogBanner(facts: LogFacts): string {
  const { address, dataDir, origin, vkey, warnings } = facts
  const lines = [
    `Arklog's bare log is ready at ${address.baseUrl}/log`,
    '',
    `  data    ${dataDir}`,
    `  log     ${origin}`,
    `  key     ${vkey}`,
    `  look    ${address.localUrl}/log/checkpoint`,
    '',
    'Add an entry; the answer is its leaf index, once a signed checkpoint covers it:',
    '',
    `  curl -sS --data-binary 'an entry' ${address.localUrl}/log/add`,
    '',
    ...warnings.map((warning) => `WARNING: ${warning}`),
  ]
  return `${lines.join('\n').trimEnd()}\n`
}

/** The start as one JSON value for programs. */
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

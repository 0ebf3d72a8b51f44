import type { Address } from '#src/start/address.ts'

/** What a start of a witness tells the person who started it. */
export type WitnessFacts = {
  readonly address: Address
  readonly name: string
  readonly vkey: string
  readonly dataDir: string
  /** How many logs it cosigns. */
  readonly logs: number
  readonly warnings: readonly string[]
}

/** The start as text for people. */
export function formatWitnessBanner(facts: WitnessFacts): string {
  const { address, name, vkey, dataDir, logs, warnings } = facts
  const lines = [
    `Arklog's witness ${name} is ready at ${address.baseUrl}`,
    '',
    `  key   ${vkey}`,
    `  data  ${dataDir}`,
    `  look  ${address.localUrl}/vkey`,
    `  logs  ${logs}`,
    '',
    ...(logs > 0 ? [] : ['Tell it of a log: arklog witness add-log <vkey>', '']),
    ...warnings.map((warning) => `WARNING: ${warning}`),
  ]
  return `${lines.join('\n').trimEnd()}\n`
}

/** The start as one JSON value for programs. */
export function witnessBannerJson(facts: WitnessFacts): Record<string, unknown> {
  const { address, name, vkey, dataDir, logs, warnings } = facts
  return {
    base_url: address.baseUrl,
    local_url: address.localUrl,
    name,
    vkey,
    data_dir: dataDir,
    logs,
    warnings,
  }
}

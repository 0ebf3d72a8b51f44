import type { Address } from '#src/start/address.ts'

/** What a start of the adapter tells the person who started it. */
export type AdapterFacts = {
  readonly address: Address
  readonly oaiUrl: string
  readonly registryUrl: string
  readonly dataDir: string
  /** Whether it has all records, as of the time when it last read the registry. */
  readonly complete: boolean
  readonly warnings: readonly string[]
}

/** The start as text for people. */
export function formatAdapterBanner(facts: AdapterFacts): string {
  const lines = [
    `Arklog's OAI-PMH adapter is ready at ${facts.oaiUrl}`,
    '',
    `  registry  ${facts.registryUrl}`,
    `  data      ${facts.dataDir}`,
    `  look      ${facts.address.localUrl}${new URL(facts.oaiUrl).pathname}?verb=Identify`,
    '',
    ...(facts.complete ? [] : ['The registry is copied first; until then the answer is 503.', '']),
    ...facts.warnings.map((warning) => `WARNING: ${warning}`),
  ]
  return `${lines.join('\n').trimEnd()}\n`
}

/** The start as one JSON value for programs. */
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

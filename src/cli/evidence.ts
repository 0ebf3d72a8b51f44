import type { Command } from 'commander'

import { addCommand, failUnusable, UnusableError } from '#src/cli/program.ts'
import { parseStrictJson } from '#src/edge/json_body.ts'
import { getBytes, isHttpAddress } from '#src/tlog_tools/monitor/log_source.ts'

type EvidenceOptions = {
  readonly registry: string
  readonly json: boolean
}

const evidenceBytesMax = 33_554_432
const resolutionBytesMax = 4_194_304

const notes = `
The file goes to standard output and is not verified: arklog verify does that, now or in thirty
years. The ARK can name a version, as in ark:/12345/k2bcd45g7h3/v2. Otherwise you get the newest
version.
Exit code: 0 the file was written; 2 it could not be read.`

/** Adds `evidence`, which fetches all that proves a version of a work, in one file. */
export function defineEvidence(program: Command): void {
  addCommand(program, 'evidence', 'fetch the evidence for a version of a work as one file')
    .argument('<ark>', 'ARK of the work')
    .requiredOption('--registry <url>', 'the address of the registry')
    .addHelpText('after', notes)
    .action(fetchEvidence)
}

async function fetchEvidence(named: string, { registry, json }: EvidenceOptions): Promise<void> {
  try {
    if (!isHttpAddress(registry)) {
      throw new UnusableError('--registry must be an http or https address')
    }
    const base = `${registry.replace(/\/+$/, '')}/api/v1`
    const [, ark = '', version] = /^(.*?)(?:\/v([1-9]\d*))?$/.exec(named) ?? []
    const path = `${encodeURI(ark)}/v${version ?? (await newestVersion(base, ark))}`
    const bytes = await getBytes(`${base}/evidence/${path}`, evidenceBytesMax, neverEnds())
    process.stdout.write(bytes)
  } catch (error) {
    failUnusable(error, json)
  }
}

async function newestVersion(base: string, ark: string): Promise<number> {
  const url = `${base}/resolve/${encodeURI(ark)}`
  const bytes = await getBytes(url, resolutionBytesMax, neverEnds())
  const { version } = parseStrictJson(Buffer.from(bytes)) as { readonly version?: number }
  if (version === undefined) throw new UnusableError(`${url} names no version`)
  return version
}

function neverEnds(): AbortSignal {
  return new AbortController().signal
}

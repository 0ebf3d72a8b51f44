import { InvalidArgumentError } from 'commander'

import { logVerifier } from '#log/tlog/cosignature.ts'
import { print, printable, UnusableError } from '#src/cli/program.ts'
import { newestText, verifyNewest } from '#src/client/verify/newest.js'
import type { NewestReport, TrustedKeys, UnverifiedReceipt } from '#src/client/verify/types.ts'
import { httpMapFiles, proveFromFiles } from '#src/tlog_tools/mirror/map_files.ts'
import { isHttpAddress, SourceError } from '#src/tlog_tools/monitor/log_source.ts'
import { readMapProof } from '#src/tlog_tools/monitor/map_evidence.ts'
import { registryOf } from '#src/tlog_tools/monitor/watch.ts'

/** The ARK (`ark:/naan/name`) that is asked about, or a receipt of it that was verified. */
export type NewestSubject = { readonly ark: string; readonly receipt?: UnverifiedReceipt }

/** Where a map proof is read, and how old it may be. */
export type NewestOptions = {
  readonly registry?: string
  /** Milliseconds. */
  readonly within?: number
  readonly json: boolean
}

/** It is proven to be withdrawn, superseded, or not there, or nothing is proven at all. */
export class NotNewestError extends Error {
  readonly code = 'not_newest'
}

const unitMs = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const

/** Reads a time such as `90s`, `30m`, `2h` or `1d`, in milliseconds. */
export function parseWithin(text: string): number {
  const [, count, unit = ''] = /^([1-9]\d{0,5})([smhd])$/.exec(text) ?? []
  if (count !== undefined) return Number(count) * unitMs[unit as keyof typeof unitMs]
  throw new InvalidArgumentError('It must be a time such as 90s, 30m, 2h or 1d.')
}

/**
 * Asks a registry, or a mirror that serves its map, how an ARK stands, and proves the answer by
 * keys that are trusted. Throws NotNewestError unless it is proven to be the newest version.
 */
export async function proveNewest(
  { ark, receipt }: NewestSubject,
  keys: TrustedKeys,
  { registry = registryOf(keys.url), within, json }: NewestOptions,
): Promise<void> {
  if (!isHttpAddress(registry))
    throw new UnusableError('--registry must be an http or https address')
  const { signal } = new AbortController()
  const proof = await readMapProof(registry, ark, signal).catch((error: unknown) => {
    if (!(error instanceof SourceError) || error.code !== 'missing') throw error
    return proveByMirror(registry, ark, keys, error)
  })
  const report = await verifyNewest(proof, keys, {
    ark,
    nowMs: Date.now(),
    ...(within === undefined ? {} : { withinMs: within }),
    ...(receipt && { receipt }),
  })
  const { value: _, ...facts } = report
  print({ json }, { ...facts, text: newestText(report) }, printable(formatNewest(report)))
  if (report.valid && report.standing === 'newest') return
  throw new NotNewestError(`${ark}: ${newestText(report)}`)
}

/** The map proof by the files of a mirror; what is no mirror either has no map. */
async function proveByMirror(
  url: string,
  ark: string,
  { vkey }: TrustedKeys,
  noRegistry: SourceError,
): Promise<unknown> {
  const files = httpMapFiles(url, new AbortController().signal)
  return proveFromFiles(files, logVerifier(vkey), ark).catch((error: unknown) => {
    throw error instanceof SourceError && error.code === 'missing' ? noRegistry : error
  })
}

const marks = { done: 'done', failed: 'FAILED', not_checked: 'not checked' } as const

function formatNewest(report: NewestReport): string {
  const { ark, valid, steps } = report
  const said = `${ark}: ${valid ? 'proven' : 'NOT PROVEN'}: ${newestText(report)}`
  return [
    said,
    ...steps.map(
      ({ step, status, reason }) => `  ${marks[status].padEnd(12)} ${step.padEnd(14)} ${reason}`,
    ),
  ].join('\n')
}

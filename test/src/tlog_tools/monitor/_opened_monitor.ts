import type { ExecutionContext } from 'ava'

import { checkpointVerifiers } from '#log/tlog/cosigned_checkpoint.ts'
import { cosignatureSigner, cosignatureVerifier } from '#log/tlog/cosignature.ts'
import { type Ed25519Key, ed25519Keys, noteVerifier } from '#log/tlog/ed25519.ts'
import { cosignatureType, formatSignature, formatVkey, parseNote } from '#log/tlog/note.ts'
import { parsePolicy } from '#log/tlog/policy.ts'
import { httpLogSource } from '#src/tlog_tools/monitor/log_source.ts'
import { Monitor, type MonitorSettings } from '#src/tlog_tools/monitor/monitor.ts'
import type { Report } from '#src/tlog_tools/monitor/outbox.ts'
import { type ServedLog, vkey } from '#test/src/tlog_tools/monitor/_served_log.ts'
import { makeTempDir } from '#test/log/_store_dir.ts'

export const startMs = Date.parse('2026-03-04T05:06:07.089Z')

const hourMs = 3_600_000

/** A monitor of one log, whose every round is an hour after the one before. */
export type OpenedMonitor = {
  readonly folder: string
  readonly told: Report[]
  look(): ReturnType<Monitor['round']>
  /** As after the process ended: what is known is read from the folder. */
  reopen(): Promise<void>
  current(): Monitor
  nowMs(): number
}

/** Opens a monitor on a folder that is removed after the test; what it tells is noted. */
export async function openMonitor(
  t: ExecutionContext,
  log: ServedLog,
  changes: Partial<MonitorSettings> = {},
): Promise<OpenedMonitor> {
  const folder = await makeTempDir(t)
  const told: Report[] = []
  const { signal } = new AbortController()
  const settings: MonitorSettings = {
    followed: {
      source: httpLogSource(log.url, signal),
      vkey,
      verifier: noteVerifier(vkey),
      folder,
      staleAfterMs: 24 * hourMs,
      onProgress: () => undefined,
    },
    vantages: [],
    channels: [{ name: 'line', send: async (report) => void told.push(report) }],
    signal,
    ...changes,
  }
  let monitor = await Monitor.open(settings)
  let nowMs = startMs
  t.teardown(() => monitor.close())
  return {
    folder,
    told,
    look: () => monitor.round((nowMs += hourMs)),
    reopen: async () => {
      await monitor.close()
      monitor = await Monitor.open(settings)
    },
    current: () => monitor,
    nowMs: () => nowMs,
  }
}

/** A witness whose key signs whatever it is given. */
export class PliantWitness {
  readonly name: string
  readonly vkey: string
  readonly #key: Ed25519Key

  constructor(name: string, seed: number) {
    this.#key = ed25519Keys.fromSeed(Buffer.alloc(32, seed))
    this.name = name
    this.vkey = formatVkey(`witness.example/${name}`, cosignatureType, this.#key.publicKey)
  }

  /** The checkpoint with a cosignature of this time at its end. */
  cosign(checkpoint: string | Uint8Array, atMs: number): string {
    const note = String(checkpoint)
    return note + this.line(note, atMs)
  }

  /** The line of a cosignature of a checkpoint. */
  line(note: string, atMs: number): string {
    const { keyName, keyId, sign } = cosignatureSigner(
      `witness.example/${this.name}`,
      this.#key,
      Math.floor(atMs / 1_000),
    )
    const bytes = sign(Buffer.from(parseNote(note).unverifiedText))
    return formatSignature({ keyName, keyId, bytes })
  }
}

/** What demands so many of these witnesses, no older than two hours. */
export function demand(threshold: number, witnesses: readonly PliantWitness[]) {
  const lines = witnesses.map(({ name, vkey: key }) => `witness ${name} ${key}\n`).join('')
  const names = witnesses.map(({ name }) => name).join(' ')
  const policy = parsePolicy(`${lines}group g ${threshold} ${names}\nquorum g\n`)
  const verifiers = checkpointVerifiers(noteVerifier(vkey), policy, cosignatureVerifier)
  return { verifiers, withinMs: 2 * hourMs }
}

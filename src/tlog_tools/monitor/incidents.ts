import { createHash } from 'node:crypto'
import { mkdir, readdir } from 'node:fs/promises'
import path from 'node:path'
import { type Static, Type } from 'typebox'

import { replaceFile } from '#src/keeping/data_dir/secret_file.ts'
import { adviceOf, type Alarm, type AlarmKind, isProof } from '#src/tlog_tools/monitor/alarm.ts'
import { keep, readKept } from '#src/tlog_tools/monitor/monitor_state.ts'
import type { Outbox, Report } from '#src/tlog_tools/monitor/outbox.ts'

const incidentSchema = Type.Object(
  {
    place: Type.String(),
    kind: Type.String(),
    message: Type.String(),
    sinceMs: Type.Integer({ minimum: 0 }),
    evidence: Type.String(),
    isProof: Type.Boolean(),
  },
  { additionalProperties: false },
)
const incidentsSchema = Type.Object(
  { schema: Type.Literal(1), open: Type.Array(incidentSchema) },
  { additionalProperties: false },
)

/** An alarm that goes on: where it was seen, since when (milliseconds of 1970), its evidence. */
export type Incident = Readonly<Static<typeof incidentSchema>>

/** Alarms whose evidence is kept, but for what is proven. */
const evidenceMax = 500

/** Where the incidents of a log are kept and told. */
export type IncidentPorts = {
  readonly folder: string
  readonly origin: string
  readonly outbox: Outbox
}

/**
 * The alarms that go on, each told once when it begins and once when it ends. What is proven for
 * good ends by no later round: an operator who has looked into it removes `incidents.json`.
 */
export class Incidents {
  readonly #ports: IncidentPorts
  #open: readonly Incident[]

  private constructor(ports: IncidentPorts, open: readonly Incident[]) {
    this.#ports = ports
    this.#open = open
  }

  /** Reads what goes on from the state folder. Throws MonitorStateError. */
  static async open(ports: IncidentPorts): Promise<Incidents> {
    const kept = await readKept(fileIn(ports), incidentsSchema)
    return new Incidents(ports, kept?.open ?? [])
  }

  get list(): readonly Incident[] {
    return this.#open
  }

  /**
   * Notes an alarm at a place. If it is new, its evidence is kept and it is told; others that are
   * not proven end at this place. Gives the folder of the evidence.
   */
  async raise(place: string, alarm: Alarm, nowMs: number): Promise<string> {
    const { kind, message } = alarm
    await this.#end((one) => one.place === place && one.kind !== kind, nowMs)
    const known = this.#open.find((one) => one.place === place && one.kind === kind)
    if (known !== undefined) return known.evidence
    const evidence = await this.#keepEvidence(alarm, nowMs)
    const incident = { place, kind, message, sinceMs: nowMs, evidence, isProof: isProof(kind) }
    // Told before it is noted: after a crash in between it is told again, under the same id.
    await this.#tell('alarm', incident, nowMs)
    await this.#keep([...this.#open, incident])
    return evidence
  }

  /** Notes that all was well at a place. */
  async settle(place: string, nowMs: number): Promise<void> {
    await this.#end((one) => one.place === place, nowMs)
  }

  // What comes and goes for months must not fill the disk; what is proven is always kept.
  async #keepEvidence(alarm: Alarm, nowMs: number): Promise<string> {
    const { folder } = this.#ports
    if (!isProof(alarm.kind) && (await countEvidence(folder)) >= evidenceMax) {
      return path.join(folder, 'evidence')
    }
    return keepEvidence(folder, alarm, nowMs)
  }

  async #end(isOver: (incident: Incident) => boolean, nowMs: number): Promise<void> {
    const over = this.#open.filter((one) => !one.isProof && isOver(one))
    if (over.length === 0) return
    for (const incident of over) await this.#tell('alarm_ended', incident, nowMs)
    await this.#keep(this.#open.filter((one) => !over.includes(one)))
  }

  async #tell(type: 'alarm' | 'alarm_ended', incident: Incident, nowMs: number): Promise<void> {
    const { place, kind, message, sinceMs, evidence } = incident
    const report: Report = {
      id: `${type}-${idOf(incident)}`,
      type,
      at: new Date(nowMs).toISOString(),
      log: this.#ports.origin,
      kind,
      place,
      message: type === 'alarm' ? message : `ended; since ${isoOf(sinceMs)} it was: ${message}`,
      ...(type === 'alarm' && { advice: adviceOf(kind as AlarmKind) }),
      evidence,
    }
    await this.#ports.outbox.add(report)
  }

  async #keep(open: readonly Incident[]): Promise<void> {
    await keep(fileIn(this.#ports), { schema: 1, open })
    this.#open = open
  }
}

function fileIn({ folder }: IncidentPorts): string {
  return path.join(folder, 'incidents.json')
}

// After a crash the same evidence makes the same incident.
function idOf({ place, kind, evidence, sinceMs, isProof: isForEver }: Incident): string {
  const told = [place, kind, path.basename(evidence), isForEver ? '' : String(sinceMs)]
  const hash = createHash('sha256').update(told.join('\n')).digest('hex')
  return `${kind}-${hash.slice(0, 16)}`
}

function isoOf(ms: number): string {
  return new Date(ms).toISOString()
}

/**
 * Keeps what proves an alarm under `folder/evidence`: both heads, the tiles and entries that were
 * served, and the message. Returns the folder written; the same alarm always has the same one, so
 * that a log which goes on misbehaving in one way does not fill the disk.
 */
async function keepEvidence(folder: string, alarm: Alarm, atMs: number): Promise<string> {
  const files = [...alarm.evidence].toSorted(([left], [right]) => (left < right ? -1 : 1))
  const target = path.join(folder, 'evidence', `${alarm.kind}-${fingerprint(files)}`)
  for (const [name, bytes] of files) {
    await replaceFile(path.join(target, name), bytes)
  }
  const report = { kind: alarm.kind, message: alarm.message, at: new Date(atMs).toISOString() }
  await keep(path.join(target, 'alarm.json'), report)
  return target
}

/** Of how many alarms there is evidence in a state folder. */
async function countEvidence(folder: string): Promise<number> {
  const target = path.join(folder, 'evidence')
  await mkdir(target, { recursive: true })
  return (await readdir(target)).length
}

function fingerprint(files: readonly (readonly [string, Uint8Array])[]): string {
  const hash = createHash('sha256')
  for (const [name, bytes] of files) hash.update(`${name} ${bytes.length}\n`).update(bytes)
  return hash.digest('hex').slice(0, 16)
}

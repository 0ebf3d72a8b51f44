import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createHash } from 'node:crypto'
import { mkdir, readdir } from 'node:fs/promises'
import { Type, type Static } from 'typebox'

import { replaceFile } from '#src/keeping/data_dir/secret_file.ts'
import {
  type Alarm,
  LogAlarm,
  adviceOf,
  type AlarmKind,
  isProof,
} from '#src/tlog_tools/monitor/alarm.ts'
import { type LogSource, recordReplies, SourceError } from '#src/tlog_tools/monitor/log_source.ts'
import { findFraud } from '#src/tlog_tools/monitor/map_evidence.ts'
import { MapWatch } from '#src/tlog_tools/monitor/map_watch.ts'
import {
  keep,
  type MonitorState,
  readKept,
  readMonitorState,
} from '#src/tlog_tools/monitor/monitor_state.ts'
import {
  type Channel,
  Outbox,
  type Undelivered,
  type Report,
} from '#src/tlog_tools/monitor/outbox.ts'
import {
  cosignersOfBoth,
  type DemandedQuorum,
  judgeQuorum,
  lookForQuorum,
  type SeenQuorum,
} from '#src/tlog_tools/monitor/quorum_check.ts'
import { type Followed, type RoundOutcome, runRound } from '#src/tlog_tools/monitor/round.ts'
import { openHead, TileReader } from '#src/tlog_tools/monitor/tile_reader.ts'
import { lookFrom, type SeenVantage, type Vantage } from '#src/tlog_tools/monitor/vantage.ts'
import {
  type ProofHead,
  scanForWatches,
  type WatchScan,
  type WatchSettings,
} from '#src/tlog_tools/monitor/watch.ts'

const seenSchema = Type.Object(
  {
    schema: Type.Literal(1),
    quorum: Type.Optional(Type.Object({ atMs: Type.Integer(), checkpoint: Type.String() })),
    vantages: Type.Record(
      Type.String(),
      Type.Object({
        checkpoint: Type.String(),
        sinceMs: Type.Integer(),
        reachedMs: Type.Integer(),
        apartMs: Type.Optional(Type.Integer()),
      }),
    ),
  },
  { additionalProperties: false },
)

/** The quorum and the vantage points that a monitor has seen beside the log itself. */
type Seen = {
  readonly quorum?: SeenQuorum
  readonly vantages: Readonly<Record<string, SeenVantage>>
}

/** A log after a look at it, and the source to read more of it. */
export type KnownLog = {
  readonly source: LogSource
  readonly state: MonitorState
  readonly quorum?: SeenQuorum
}

/** A log to follow, and what is demanded of it. */
export type MonitorSettings = {
  readonly followed: Followed
  readonly quorum?: DemandedQuorum
  readonly vantages: readonly Vantage[]
  readonly watch?: Pick<WatchSettings, 'watches' | 'from' | 'registry'>
  /** How long entries may wait for a map leaf; undefined: the map is not computed. */
  readonly map?: { readonly withinMs: number; readonly registry?: string }
  /** Shows others what is known of the log now. Throws LogAlarm and SourceError. */
  readonly publish?: (known: KnownLog) => Promise<void>
  readonly channels: readonly Channel[]
  /** Ends all requests. */
  readonly signal: AbortSignal
}

/** An alarm, where it was seen, and the folder of its evidence. */
export type PlacedAlarm = {
  readonly place: string
  readonly alarm: Alarm
  readonly evidence: string
}

/** A part that could not be looked at in a round; it is tried again in the next one. */
export type Failure = { readonly place: string; readonly message: string }

/** The findings of one round of a monitor. */
export type MonitorRound = {
  readonly outcome: RoundOutcome
  readonly alarms: readonly PlacedAlarm[]
  readonly failures: readonly Failure[]
  readonly watch: WatchScan | undefined
  readonly undelivered: readonly Undelivered[]
}

/** A round as it is put together. */
type Draft = {
  readonly alarms: PlacedAlarm[]
  readonly failures: Failure[]
  readonly nowMs: number
}

/** The further things to look at, after the log itself. */
type Look = Pick<ProofHead, 'head' | 'checkpoint'> & {
  readonly source: LogSource
  /** The checkpoint as it was served in this round. */
  readonly served: Uint8Array | undefined
}

/**
 * Follows one log: the log itself, the quorum of its witnesses, other vantage points, and what is
 * watched for. It owns its state folder, of which the caller holds the lock.
 */
export class Monitor {
  readonly #settings: MonitorSettings
  readonly #outbox: Outbox
  readonly #incidents: Incidents
  readonly #map: MapWatch | undefined
  #seen: Seen
  #state: MonitorState | undefined

  private constructor(
    settings: MonitorSettings,
    parts: {
      outbox: Outbox
      incidents: Incidents
      map: MapWatch | undefined
      seen: Seen
      state: MonitorState | undefined
    },
  ) {
    this.#settings = settings
    this.#map = parts.map
    this.#outbox = parts.outbox
    this.#incidents = parts.incidents
    this.#seen = parts.seen
    this.#state = parts.state
  }

  /** Opens the state folder. Throws MonitorStateError. */
  static async open(settings: MonitorSettings): Promise<Monitor> {
    const { folder, vkey, verifier } = settings.followed
    const state = await readMonitorState(folder, vkey)
    const outbox = await Outbox.open(folder)
    const origin = verifier.origin ?? verifier.keyName
    const incidents = await Incidents.open({ folder, origin, outbox })
    const seen = (await readKept(seenFile(folder), seenSchema)) ?? { vantages: {} }
    const map = settings.map && (await MapWatch.open(folder, origin))
    return new Monitor(settings, { outbox, incidents, map, seen, state })
  }

  /** Closes what it has open in its folder. */
  async close(): Promise<void> {
    await this.#map?.close()
  }

  /** The state of the log; undefined before it was seen for the first time. */
  get state(): MonitorState | undefined {
    return this.#state
  }

  get incidents(): Incidents['list'] {
    return this.#incidents.list
  }

  get seen(): Seen {
    return this.#seen
  }

  /** Reports that wait to go out. */
  get waiting(): number {
    return this.#outbox.size
  }

  /** Looks at everything once, and tells what there is to tell. Throws MonitorStateError. */
  async round(nowMs: number): Promise<MonitorRound> {
    const { followed, channels, signal } = this.#settings
    const draft: Draft = { alarms: [], failures: [], nowMs }
    const { source, served } = noteCheckpoint(followed.source)
    const map = this.#map
    const outcome = await runRound({ ...followed, source, ...(map && { map }) }, nowMs)
    const { folder, vkey } = followed
    this.#state = await readMonitorState(folder, vkey)
    await this.#noteOutcome(outcome, draft)
    let watch: WatchScan | undefined
    const isWrong = outcome.type === 'alarm' && outcome.kind !== 'stale'
    if (this.#state !== undefined && !isWrong && !signal.aborted) {
      const { checkpoint } = this.#state
      const head = openHead(checkpoint, followed.verifier)
      const look = { source, served: served(), head, checkpoint }
      await this.#judgeMap(look, draft)
      await this.#lookForQuorum(look, draft)
      await this.#publish(this.#state, look, draft)
      for (const vantage of this.#settings.vantages) await this.#lookFrom(vantage, look, draft)
      watch = await this.#watch(look, draft)
    }
    const undelivered = await this.#outbox.deliver(channels, signal)
    const { alarms, failures } = draft
    return { outcome, alarms, failures, watch, undelivered }
  }

  async #noteOutcome(outcome: RoundOutcome, draft: Draft): Promise<void> {
    if (outcome.type === 'alarm') await this.#raise('log', outcome, draft)
    else if (outcome.type !== 'unreachable') await this.#incidents.settle('log', draft.nowMs)
    else draft.failures.push({ place: 'log', message: outcome.message })
  }

  async #lookForQuorum({ source, served, head }: Look, draft: Draft): Promise<void> {
    const { quorum } = this.#settings
    if (quorum === undefined || head.treeSize === 0) return
    const recorded = recordReplies(source)
    const evidence = () => ({
      ...Object.fromEntries(recorded.replies),
      ...(served && { 'new-checkpoint': served }),
      ...noteOf('old-checkpoint', this.#seen.quorum),
    })
    await this.#check('quorum', draft, evidence, async () => {
      const { nowMs } = draft
      const tiles = new TileReader(head, (tile) => recorded.tile(tile))
      const { quorum: before } = this.#seen
      const look = { source: recorded, served, tiles, seen: before, nowMs }
      const seen = await lookForQuorum(quorum, look)
      if (seen !== undefined && seen !== before) {
        await this.#remember({ ...this.#seen, quorum: seen })
      }
      judgeQuorum(quorum, { served, seen, nowMs })
    })
  }

  /** Tells what was wrong with map leaves that were read, and whether there are none any more. */
  async #judgeMap({ source, head, checkpoint }: Look, draft: Draft): Promise<void> {
    const { map: demand, followed, signal } = this.#settings
    const map = this.#map
    if (demand === undefined || map === undefined) return
    const { vkey, verifier } = followed
    const tiles = new TileReader(head, (tile) => source.tile(tile))
    const { registry, withinMs } = demand
    const search = { source, vkey, verifier, tiles, checkpoint, registry, signal }
    for (const fault of map.faults) {
      const { kind, message } = fault
      const fraud = await findFraud(fault, search)
      const evidence = new Map([
        ['checkpoint', Buffer.from(checkpoint)],
        ['fault.json', Buffer.from(JSON.stringify(fault))],
        ...(fraud === undefined ? [] : [['fraud.json.gz', fraud] as const]),
      ])
      await this.#raise('map', { type: 'alarm', kind, message, evidence }, draft)
    }
    await map.forget()
    const evidence = () => ({ checkpoint: Buffer.from(checkpoint) })
    await this.#check('map', draft, evidence, async () => {
      const { uncoveredSinceMs: sinceMs } = map
      if (sinceMs === undefined || draft.nowMs - sinceMs <= withinMs) return
      const since = new Date(sinceMs).toISOString()
      throw new LogAlarm('map_missed', `statements since ${since} have no map leaf`)
    })
  }

  async #publish(state: MonitorState, look: Look, draft: Draft): Promise<void> {
    const { publish } = this.#settings
    if (publish === undefined) return
    const source = recordReplies(look.source)
    const evidence = () => ({
      ...Object.fromEntries(source.replies),
      'new-checkpoint': Buffer.from(state.checkpoint),
    })
    const { quorum } = this.#seen
    const known = { source, state, ...(quorum && { quorum }) }
    await this.#check('copy', draft, evidence, () => publish(known))
  }

  async #lookFrom(vantage: Vantage, { source, head, checkpoint }: Look, draft: Draft) {
    const { followed } = this.#settings
    const { name } = vantage
    const here = recordReplies(source)
    const there = recordSome(vantage.source)
    const evidence = () => ({
      ...filesBelow('here', here.replies),
      ...filesBelow('there', there.replies),
      'here/checkpoint': Buffer.from(checkpoint),
      ...noteOf('there/old-checkpoint', this.#seen.vantages[name]),
    })
    await this.#check(name, draft, evidence, async () => {
      const seen = await lookFrom(
        { ...vantage, source: there.source },
        {
          verifier: followed.verifier,
          head,
          tiles: new TileReader(head, (tile) => here.tile(tile)),
          seen: this.#seen.vantages[name],
          staleAfterMs: followed.staleAfterMs,
          nowMs: draft.nowMs,
        },
      )
      await this.#remember({ ...this.#seen, vantages: { ...this.#seen.vantages, [name]: seen } })
    })
  }

  async #watch(look: Look, draft: Draft): Promise<WatchScan | undefined> {
    const { watch, signal, followed } = this.#settings
    if (watch === undefined) return undefined
    const { nowMs } = draft
    const settings = { ...watch, folder: followed.folder, outbox: this.#outbox, signal }
    const proof = this.#proofHead(look)
    let scan: WatchScan | undefined
    const recorded = recordReplies(look.source)
    const evidence = () => Object.fromEntries(recorded.replies)
    await this.#check('entries', draft, evidence, async () => {
      const tiles = new TileReader(proof.head, (tile) => recorded.tile(tile))
      scan = await scanForWatches(settings, recorded, { ...proof, tiles }, nowMs)
    })
    if (scan === undefined) return undefined
    for (const alarm of scan.alarms) await this.#raise('records', alarm, draft)
    if (scan.fault) draft.failures.push({ place: 'records', message: scan.fault.message })
    return scan
  }

  // What witnesses vouch for proves more; without them what the log signed has to do.
  #proofHead({ head, checkpoint }: Look): Pick<ProofHead, 'head' | 'checkpoint'> {
    const { quorum } = this.#seen
    const isWitnessed = !this.incidents.some(({ place }) => place === 'quorum')
    if (this.#settings.quorum === undefined || quorum === undefined || !isWitnessed) {
      return { head, checkpoint }
    }
    const witnessed = openHead(quorum.checkpoint, this.#settings.followed.verifier)
    if (witnessed.treeSize > head.treeSize) return { head, checkpoint }
    return { head: witnessed, checkpoint: quorum.checkpoint }
  }

  async #check(
    place: string,
    draft: Draft,
    evidence: () => Readonly<Record<string, Uint8Array>>,
    look: () => Promise<void>,
  ): Promise<void> {
    try {
      await look()
      await this.#incidents.settle(place, draft.nowMs)
    } catch (error) {
      if (error instanceof SourceError) {
        draft.failures.push({ place, message: error.message })
      } else if (error instanceof LogAlarm) {
        const files = new Map(Object.entries(evidence()))
        const { code: kind, message } = error
        await this.#raise(place, { type: 'alarm', kind, message, evidence: files }, draft)
      } else {
        throw error
      }
    }
  }

  async #raise(place: string, alarm: Alarm, { alarms, nowMs }: Draft): Promise<void> {
    const named = this.#nameWitnesses(alarm)
    const evidence = await this.#incidents.raise(place, named, nowMs)
    alarms.push({ place, alarm: named, evidence })
  }

  /** Of two signed heads that contradict each other it says which witnesses signed both, too. */
  #nameWitnesses(alarm: Alarm): Alarm {
    const { quorum } = this.#settings
    const heads = headsOfFork.get(alarm.kind)?.map((name) => alarm.evidence.get(name))
    const [left, right] = heads ?? []
    if (quorum === undefined || left === undefined || right === undefined) return alarm
    const names = cosignersOfBoth(left, right, quorum)
    if (names.length === 0) return alarm
    const who = names.join(', ')
    const message = `${alarm.message}; and these witnesses have cosigned both: ${who}`
    return { ...alarm, message }
  }

  async #remember(seen: Seen): Promise<void> {
    await keep(seenFile(this.#settings.followed.folder), { schema: 1, ...seen })
    this.#seen = seen
  }
}

/** The files of the evidence with two heads of which neither extends the other, by the alarm. */
const headsOfFork: ReadonlyMap<Alarm['kind'], readonly [string, string]> = new Map([
  ['fork', ['old-checkpoint', 'new-checkpoint']],
  ['split_view', ['here/checkpoint', 'there/new-checkpoint']],
])

function seenFile(folder: string): string {
  return path.join(folder, 'seen.json')
}

/** A source whose checkpoint, once it was read, can be had again. */
function noteCheckpoint(source: LogSource) {
  let served: Uint8Array | undefined
  const noting: LogSource = {
    ...source,
    checkpoint: async () => (served = await source.checkpoint()),
  }
  return { source: noting, served: () => served }
}

/** A source that may serve a checkpoint alone, and its replies. */
function recordSome(source: Vantage['source']) {
  const { tile, entryBundle } = source
  if (tile !== undefined && entryBundle !== undefined) {
    const recorded = recordReplies({ ...source, tile, entryBundle })
    return { source: recorded, replies: recorded.replies }
  }
  const replies = new Map<string, Uint8Array>()
  const checkpoint = async () => {
    const bytes = await source.checkpoint()
    replies.set('new-checkpoint', bytes)
    return bytes
  }
  return { source: { checkpoint }, replies }
}

function filesBelow(
  folder: string,
  files: ReadonlyMap<string, Uint8Array>,
): Record<string, Uint8Array> {
  return Object.fromEntries([...files].map(([name, bytes]) => [`${folder}/${name}`, bytes]))
}

function noteOf(name: string, seen: { readonly checkpoint: string } | undefined) {
  return seen && { [name]: Buffer.from(seen.checkpoint) }
}

/** How rounds follow each other, until `stop`. */
export type MonitorPace = {
  readonly intervalMs: number
  /** Ends the pauses; a round that has begun is finished. */
  readonly stop: AbortSignal
  /** From 0 up to 1. */
  readonly random: () => number
  /** Milliseconds since 1970. */
  readonly nowMs: () => number
}

/** The longest pause after failures, if rounds are not longer apart anyhow. */
const pauseMaxMs = 900_000

/**
 * Looks again and again. Pauses are longer and shorter than the interval by a tenth, so that many
 * monitors do not come at one time; they double while the log cannot be reached.
 */
export async function runRounds(
  monitor: Monitor,
  { intervalMs, stop, random, nowMs }: MonitorPace,
  onRound: (round: MonitorRound, atMs: number) => void,
): Promise<void> {
  let failed = 0
  while (!stop.aborted) {
    const atMs = nowMs()
    const round = await monitor.round(atMs)
    onRound(round, atMs)
    failed = round.outcome.type === 'unreachable' ? failed + 1 : 0
    // Entries beyond the bound of one round are looked at in the next, without a pause.
    if (round.watch?.isMore) continue
    const longerMs = intervalMs * 2 ** Math.min(Math.max(failed - 1, 0), 20)
    const pauseMs = Math.min(longerMs, Math.max(pauseMaxMs, intervalMs))
    await sleep(pauseMs * (0.9 + 0.2 * random()), undefined, { signal: stop }).catch(
      () => undefined,
    )
  }
}

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

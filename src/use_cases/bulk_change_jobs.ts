import { setTimeout as sleep } from 'node:timers/promises'

import { idempotencyOf } from '#actors/journal/idempotency.ts'
import type {
  EnvironmentName,
  ServedEnvironment,
  ServedEnvironments,
} from '#actors/registry/environment.ts'
import { FairQueue } from '#actors/kernel/fair_queue.ts'
import type { Agent, Owner } from '#actors/values/agent.ts'
import { actsThrough, may, type Suspendable } from '#actors/values/authority.ts'
import { type Clock, formatTimestamp } from '#actors/values/clock.ts'
import { checkWorkPatch } from '#actors/works/request_checks.ts'
import { assert } from '#log/tlog/errors.ts'
import { HttpError } from '#src/edge/errors.ts'
import { AuditLog } from '#src/identity/store/audit.ts'
import {
  deleteRow,
  type IdentityStore,
  putRow,
  type RowChange,
} from '#src/identity/store/identity_rows.ts'
import { operator, personOwner } from '#src/identity/store/owner_text.ts'
import {
  type BulkEdit,
  type BulkFilter,
  type BulkOutcome,
  type BulkPlan,
  describeBulkEdit,
  type LeftWork,
  powerOf,
  readDifference,
  type ReadyWork,
} from '#src/use_cases/bulk_edit.ts'
import { undoneWork } from '#src/use_cases/bulk_undo.ts'
import { registerWorkAgain } from '#src/use_cases/work_again.ts'

/**
 * `draft` has been previewed; `running` is under way; `stopping` was told to end; `done` has come
 * to its end, and `stopped` ended before that.
 */
export const bulkStates = ['draft', 'running', 'stopping', 'done', 'stopped'] as const

type BulkState = (typeof bulkStates)[number]

/** A bulk change of works of an organization, `slug`: what it does, and how far it is. */
export type BulkJob = {
  readonly id: string
  readonly slug: string
  readonly environment: EnvironmentName
  readonly edit: BulkEdit
  /** Which works were chosen; of a list only how many. */
  readonly chosen: { readonly filter: BulkFilter } | { readonly listed: number }
  /** Who changes the works, and who has asked for it in the organization. */
  readonly by: Agent
  readonly asked_by: Agent
  readonly state: BulkState
  readonly created_at: string
  readonly ended_at?: string
  /** Works that are to be changed, and that are left out: those that are listed, and others. */
  readonly ready: number
  /** How many of those that are to be changed are withdrawn with that, by an undo. */
  readonly withdrawals?: number
  /** How many of them an undo registers again, under a new ARK. */
  readonly registrations?: number
  readonly left: number
  readonly left_more: number
  readonly is_cut: boolean
  /** How many of those that are to be changed had their turn, and how many of them were changed. */
  readonly done: number
  readonly changed: number
}

/** As whose act works are changed, and who in the organization has asked for that. */
export type BulkActors = Pick<BulkJob, 'by' | 'asked_by'>

/** A work that is to be changed, with what became of it once it had its turn. */
export type BulkWork = ReadyWork & { readonly outcome?: BulkOutcome }

/** Works of one row, and of one page: they are changed together, and their outcomes written. */
export const bulkPartWorks = 25

/** Bulk changes of an organization that are kept: previews for a day, others as they have room. */
const draftsMax = 10
const draftMsMax = 24 * 3_600_000
const endedMax = 200

/** How often previews that are over are looked for. */
const sweptEveryMs = 6 * 3_600_000

/** Characters of what is said of a work that is left out, at most. */
const leftCharactersMax = 500

/** Rows that are written at a time. */
const rowsAtOnce = 40

const jobsPrefix = 'bulk_change/'
const partsPrefix = 'bulk_change_works/'

function jobKey({ slug, id }: Pick<BulkJob, 'slug' | 'id'>): string {
  return `${jobsPrefix}${slug}/${id}`
}

type ListName = 'ready' | 'left'

function partKey(id: string, list: ListName, part: number): string {
  return `${partsPrefix}${id}/${list}/${String(part).padStart(6, '0')}`
}

export type BulkChangesOptions = {
  readonly store: IdentityStore
  readonly clock: Clock
  readonly random: (bytes: number) => Uint8Array
  /** Works of changes that ended, of an organization, whose outcomes are kept, about. */
  readonly endedWorksMax?: number
}

/** A bulk change that was planned, before it is kept. */
export type BulkDraft = Pick<
  BulkJob,
  'slug' | 'environment' | 'edit' | 'chosen' | 'by' | 'asked_by'
> & { readonly plan: BulkPlan }

/** The bulk changes of organizations, as rows that every thread reads. */
export class BulkChanges {
  /** To look at many works keeps a thread half busy; organizations take turns. */
  readonly planning = new FairQueue({
    runningMax: 2,
    runningPerCallerMax: 1,
    waitingMax: 16,
    waitingPerCallerMax: 2,
  })
  readonly #store: IdentityStore
  readonly #clock: Clock
  readonly #random: BulkChangesOptions['random']
  readonly #endedWorksMax: number
  readonly #audit: AuditLog

  constructor({ store, clock, random, endedWorksMax = 100_000 }: BulkChangesOptions) {
    this.#store = store
    this.#clock = clock
    this.#random = random
    this.#endedWorksMax = endedWorksMax
    this.#audit = new AuditLog(store)
  }

  /** Keeps what was planned, to be looked at and begun within a day. */
  async keep({ plan, ...draft }: BulkDraft): Promise<BulkJob> {
    const nowMs = this.#clock.nowMs()
    const random = Buffer.from(this.#random(8)).toString('hex')
    const job: BulkJob = {
      ...draft,
      id: `${nowMs.toString(16).padStart(12, '0')}${random}`,
      state: 'draft',
      created_at: formatTimestamp(nowMs),
      ready: plan.ready.length,
      ...(draft.edit.undo && {
        withdrawals: plan.ready.filter((work) => work.withdraws).length,
        registrations: plan.ready.filter((work) => work.registers).length,
      }),
      left: plan.left.length,
      left_more: plan.leftMore,
      is_cut: plan.isCut,
      done: 0,
      changed: 0,
    }
    // Nobody reads its parts before the row of the change itself is there.
    const rows = partRows(job.id, plan)
    for (let first = 0; first < rows.length; first += rowsAtOnce) {
      await this.#store.append(rows.slice(first, first + rowsAtOnce))
    }
    // In turn, so that none is deleted that somebody begins meanwhile.
    await this.#store.inTurn(async () => {
      const old = await this.#oldRows(job, nowMs)
      await this.#store.commit([...old, putRow(jobKey(job), job)])
    })
    return job
  }

  /** One of an organization; undefined for a preview that is over. */
  find(slug: string, id: string): BulkJob | undefined {
    const job = this.#store.read<BulkJob>(jobKey({ slug, id }))
    return job === undefined || isOver(job, this.#clock.nowMs()) ? undefined : job
  }

  /** Deletes the previews that are over, of all organizations. */
  async sweep(): Promise<void> {
    const nowMs = this.#clock.nowMs()
    for await (const [key, job] of this.#store.scan<BulkJob>(jobsPrefix)) {
      if (!isOver(job, nowMs)) continue
      await this.#store.inTurn(async () => {
        const now = this.#store.read<BulkJob>(key)
        if (now !== undefined && isOver(now, nowMs))
          await this.#store.commit(await this.#rowsOf(now))
      })
    }
  }

  /** Those of an organization, newest first. */
  async list(slug: string, limit = draftsMax + endedMax): Promise<BulkJob[]> {
    const nowMs = this.#clock.nowMs()
    return (await this.#kept(slug, limit)).filter((job) => !isOver(job, nowMs))
  }

  async #kept(slug: string, limit: number): Promise<BulkJob[]> {
    const jobs: BulkJob[] = []
    const prefix = `${jobsPrefix}${slug}/`
    for await (const [, job] of this.#store.scan<BulkJob>(prefix, { reverse: true, limit })) {
      jobs.push(job)
    }
    return jobs
  }

  /** Those of all organizations that are under way. */
  async underWay(): Promise<BulkJob[]> {
    const jobs: BulkJob[] = []
    for await (const [, job] of this.#store.scan<BulkJob>(jobsPrefix)) {
      if (isUnderWay(job)) jobs.push(job)
    }
    return jobs
  }

  /** A page of the works that are to be changed; the first is 0. */
  readyPart(id: string, part: number): readonly BulkWork[] {
    return this.#part<BulkWork>(id, 'ready', part)
  }

  /** A page of the works that are left out. */
  leftPart(id: string, part: number): readonly LeftWork[] {
    return this.#part<LeftWork>(id, 'left', part)
  }

  #part<Work>(id: string, list: ListName, part: number): readonly Work[] {
    return this.#store.read<readonly Work[]>(partKey(id, list, part)) ?? []
  }

  /**
   * Begins what was previewed, as the act of whoever begins it; one that has begun stays as it is.
   * HttpError `conflict` while another one of the organization is under way, and where nothing is
   * to be changed; `not_found`.
   */
  start(slug: string, id: string, actors: BulkActors): Promise<BulkJob> {
    return this.#change(slug, id, async (job) => {
      // One that is under way is told again to who may not have heard of it.
      if (job.state !== 'draft') return isUnderWay(job) ? job : undefined
      if (job.ready === 0) throw new HttpError('conflict', 'Nothing is to be changed')
      const other = (await this.list(slug)).find(isUnderWay)
      if (other !== undefined) {
        const message = `The bulk change ${other.id} is under way: wait for its end, or stop it`
        throw new HttpError('conflict', message)
      }
      return { ...job, ...actors, state: 'running' }
    })
  }

  /** Ends one that is under way before its next works; what is done stays done. */
  stop(slug: string, id: string): Promise<BulkJob> {
    return this.#change(slug, id, (job) =>
      job.state === 'running' ? { ...job, state: 'stopping' } : undefined,
    )
  }

  /** Notes what became of the works of a part. */
  async note(job: BulkJob, part: number, works: readonly BulkWork[]): Promise<void> {
    const row = putRow(partKey(job.id, 'ready', part), works)
    const changed = works.filter(({ outcome }) => outcome && 'version' in outcome).length
    await this.#change(
      job.slug,
      job.id,
      (now) => {
        // Another node may have had the turn of this one meanwhile.
        if (now.done !== job.done) return undefined
        return { ...now, done: now.done + works.length, changed: now.changed + changed }
      },
      () => [row],
    )
  }

  /** Notes the end of one, once, with its one entry in the list of what happened. */
  async end(job: BulkJob, state: 'done' | 'stopped'): Promise<void> {
    const ended_at = formatTimestamp(this.#clock.nowMs())
    await this.#change(
      job.slug,
      job.id,
      (now) => (isUnderWay(now) ? { ...now, state, ended_at } : undefined),
      // What happened in the sandbox is no part of an organization's history.
      (now) => (now.environment === 'live' ? this.#audit.rows([auditEntry(now, ended_at)]) : []),
    )
  }

  /** Tells of every bulk change that is under way from now on, whichever thread has begun it. */
  followBegun(listener: (job: BulkJob) => void): void {
    this.#store.follow<BulkJob>(jobsPrefix, (_key, job) => {
      if (job !== undefined && isUnderWay(job)) listener(job)
    })
  }

  /** Changes the row of one in turn; undefined leaves it as it is. HttpError `not_found`. */
  #change(
    slug: string,
    id: string,
    decide: (job: BulkJob) => BulkJob | undefined | Promise<BulkJob | undefined>,
    beside: (job: BulkJob) => readonly RowChange[] | Promise<readonly RowChange[]> = () => [],
  ): Promise<BulkJob> {
    return this.#store.inTurn(async () => {
      const job = this.find(slug, id)
      if (job === undefined) throw new HttpError('not_found', 'There is no such bulk change')
      const next = await decide(job)
      if (next === undefined) return job
      await this.#store.commit([putRow(jobKey(job), next), ...(await beside(next))])
      return next
    })
  }

  /** The deletion of drafts that nobody began in time, and of what ended long ago. */
  async #oldRows({ slug }: BulkJob, nowMs: number): Promise<RowChange[]> {
    const jobs = await this.#kept(slug, draftsMax + endedMax + 10)
    const drafts = jobs.filter(({ state }) => state === 'draft')
    const ended = jobs.filter((job) => job.state !== 'draft' && !isUnderWay(job))
    let works = 0
    const old = [
      ...drafts.filter((job, index) => index >= draftsMax - 1 || isOver(job, nowMs)),
      ...ended.filter((job, index) => {
        works += job.ready + job.left
        return index > 0 && (index >= endedMax || works > this.#endedWorksMax)
      }),
    ]
    const rows: RowChange[] = []
    for (const job of old) rows.push(...(await this.#rowsOf(job)))
    return rows
  }

  /** The deletion of all rows of one. */
  async #rowsOf(job: BulkJob): Promise<RowChange[]> {
    const rows = [deleteRow(jobKey(job))]
    for await (const [key] of this.#store.scan(`${partsPrefix}${job.id}/`)) {
      rows.push(deleteRow(key))
    }
    return rows
  }
}

function isOver({ state, created_at: at }: BulkJob, nowMs: number): boolean {
  return state === 'draft' && nowMs - Date.parse(at) > draftMsMax
}

/** Whether works are being changed, or would be as soon as somebody runs the registry. */
export function isUnderWay({ state }: Pick<BulkJob, 'state'>): boolean {
  return state === 'running' || state === 'stopping'
}

function partRows(id: string, { ready, left }: BulkPlan): RowChange[] {
  const lists = { ready, left: left.map(shortened) } as const
  return (['ready', 'left'] as const).flatMap((list) => {
    const works: readonly unknown[] = lists[list]
    const parts = Math.ceil(works.length / bulkPartWorks)
    return Array.from({ length: parts }, (_, part) => {
      const first = part * bulkPartWorks
      return putRow(partKey(id, list, part), works.slice(first, first + bulkPartWorks))
    })
  })
}

function shortened({ work, message, ...rest }: LeftWork): LeftWork {
  const cut = (text: string) => text.slice(0, leftCharactersMax).toWellFormed()
  return { work: cut(work), ...rest, ...(message !== undefined && { message: cut(message) }) }
}

function auditEntry({ id, slug, edit, changed, by, asked_by: asked }: BulkJob, at: string) {
  const person = by.member ?? (asked.type === 'person' ? asked.id : undefined)
  const other = asked.via === 'api_key' ? asked : operator
  const actor: Owner = person === undefined ? other : personOwner(person)
  return {
    at,
    action: edit.undo === undefined ? 'works_changed' : 'works_undone',
    ...(edit.undo && { because: edit.undo.note ?? edit.undo.reason.replaceAll('_', ' ') }),
    bulk_change_id: id,
    changed: describeBulkEdit(edit),
    works_count: changed,
    by: actor,
    owner: { type: 'organization', id: slug },
  } as const
}

/** Works that are changed in a minute, at most: what is left of the registry is for all others. */
const bulkWorksPerMinute = 1_200

/** How long it is waited after a fault, and for the turn of this node. */
const patienceMs = 5_000

export type BulkRunnerOptions = {
  readonly changes: BulkChanges
  readonly environments: ServedEnvironments
  /** Whether this node is the one that changes works now; by default, it is alone. */
  readonly isDue?: (environment: EnvironmentName) => boolean
  readonly worksPerMinute?: number
  /** Whether a person administers the registry; by default nobody does. */
  readonly isAdministrator?: (ppid: string) => boolean
  /** Whether a key can be used; by default each can. */
  readonly isKeyInUse?: (id: string) => boolean
  /** Whether somebody is suspended through whom works are changed; by default nobody is. */
  readonly isSuspended?: (parties: readonly Suspendable[]) => boolean
  readonly report: (error: unknown) => void
}

/**
 * Carries bulk changes out where the registry runs: works of one after works of the other, part by
 * part, each work by the update that the interface has. What was done before an end of the process
 * is told by the name of the request, so that no work is changed twice.
 */
export class BulkRunner {
  readonly #options: BulkRunnerOptions
  readonly #begun = new Map<string, Pick<BulkJob, 'slug' | 'id'>>()
  readonly #closing = new AbortController()
  #running: Promise<void> | undefined
  #sweeping: Promise<void> | undefined

  constructor(options: BulkRunnerOptions) {
    this.#options = options
    options.changes.followBegun((job) => this.#begin(job))
  }

  /** Goes on with what was under way when the registry ended, and sees to it that previews end. */
  async resume(): Promise<void> {
    for (const job of await this.#options.changes.underWay()) this.#begin(job)
    this.#sweeping = this.#sweep()
  }

  async #sweep(): Promise<void> {
    while (!this.#closing.signal.aborted) {
      await this.#options.changes.sweep().catch(this.#options.report)
      await this.#pause(sweptEveryMs)
    }
  }

  /** Ends after the works that are under way. */
  async close(): Promise<void> {
    this.#closing.abort()
    await Promise.all([this.#running, this.#sweeping])
  }

  #begin(job: BulkJob): void {
    this.#begun.set(job.id, job)
    if (this.#closing.signal.aborted) return
    this.#running ??= this.#run().finally(() => (this.#running = undefined))
  }

  async #run(): Promise<void> {
    // What has told of the change has more to do first.
    await this.#pause(1)
    while (this.#begun.size > 0 && !this.#closing.signal.aborted) {
      for (const named of this.#begun.values()) {
        if (this.#closing.signal.aborted) return
        try {
          await this.#advance(named)
        } catch (error) {
          this.#options.report(error)
          await this.#pause(patienceMs)
        }
      }
    }
  }

  async #advance({ slug, id }: Pick<BulkJob, 'slug' | 'id'>): Promise<void> {
    const { changes, isDue = () => true } = this.#options
    const job = changes.find(slug, id)
    if (job === undefined || !isUnderWay(job)) return void this.#begun.delete(id)
    if (!isDue(job.environment)) return this.#pause(patienceMs)
    const isStopped = job.state === 'stopping' || !this.#isPermitted(job)
    if (isStopped) return changes.end(job, 'stopped')
    if (job.done >= job.ready) return changes.end(job, 'done')
    const { worksPerMinute = bulkWorksPerMinute } = this.#options
    const startMs = performance.now()
    const part = Math.floor(job.done / bulkPartWorks)
    const works = changes.readyPart(id, part)
    assert(works.length > 0, 'a bulk change has the works that it counts')
    const done = await Promise.all(works.map((work) => this.#changeWork(job, work)))
    await changes.note(job, part, done)
    const partMs = (works.length * 60_000) / worksPerMinute
    await this.#pause(partMs - (performance.now() - startMs))
  }

  /** Whether who has asked for it may still do it: members leave, and keys are revoked. */
  #isPermitted({ slug, edit, by, asked_by: asked }: BulkJob): boolean {
    const { environments, isAdministrator = () => false, isKeyInUse = () => true } = this.#options
    const parties = [...actsThrough(by), ...actsThrough(asked)]
    if (this.#options.isSuspended?.(parties) === true) return false
    if (asked.key_id !== undefined && !isKeyInUse(asked.key_id)) return false
    const members = environments.live.organizations.members(slug) ?? []
    const isAdmin = asked.type === 'person' ? isAdministrator(asked.id) : asked.admin === true
    const { admin: _admin, ...plain } = asked
    const now = { ...plain, ...(isAdmin && asked.admin === true && { admin: true }) }
    return may(now, 'organization', powerOf(edit), { members, slug })
  }

  async #changeWork(job: BulkJob, work: BulkWork): Promise<BulkWork> {
    const { id, edit, by } = job
    const environment = this.#options.environments[job.environment]
    const { ark, etag, withdraws, registers } = work
    const named = idempotencyOf(`bulk-${id}`, { edit, ark })
    const idempotency = { ...named, batch: id, bulk: true } as const
    const command = { ark, by, ifMatch: [etag], idempotency }
    if (withdraws === true) {
      assert(edit.undo !== undefined, 'only an undo withdraws works')
      const { reason, note } = edit.undo
      const why = { reason, ...(note !== undefined && { note }) }
      const answer = await environment.works.withdraw({ ...command, ...why })
      return { ark, etag, withdraws, outcome: outcomeOf(answer) }
    }
    if (registers === true) {
      return { ark, etag, registers, outcome: await registerAgain(environment, job, ark) }
    }
    const difference = await readDifference(environment, edit, work)
    const checked = checkWorkPatch(difference?.type === 'changed' ? difference.patch : {})
    assert(checked.type === 'ok', 'an edit of a work that is as it was seen was checked')
    const answer = await environment.works.update({ ...command, patch: checked.patch })
    return { ark, etag, outcome: outcomeOf(answer) }
  }

  async #pause(ms: number): Promise<void> {
    if (ms <= 0) return
    await sleep(ms, undefined, { signal: this.#closing.signal }).catch(() => undefined)
  }
}

/** Registers a work again for its owner, once, whichever undo asks for it, and however often. */
async function registerAgain(
  environment: ServedEnvironment,
  { id, edit: { undo }, by }: BulkJob,
  ark: string,
): Promise<BulkOutcome> {
  const state = environment.catalogue.state(ark)
  assert(undo !== undefined && state !== undefined, 'only an undo registers again what was there')
  const undone = await undoneWork(environment, undo, state)
  if (undone.type !== 'registration' && undone.type !== 'registered_again') {
    return { reason: 'changed_since' }
  }
  const new_ark = await registerWorkAgain(environment, state, undone, { by, batch: id })
  return new_ark === undefined ? { reason: 'registered_again' } : { version: 1, new_ark }
}

type Answer = Awaited<ReturnType<ServedEnvironments['live']['works']['update']>>

function outcomeOf(answer: Answer): BulkOutcome {
  switch (answer.type) {
    case 'changed':
      return answer.change.kind === 'withdrawn'
        ? { version: answer.change.version, withdrawn: true }
        : { version: answer.change.version }
    case 'gone':
      return { reason: 'withdrawn' }
    case 'unchanged':
    case 'not_found':
      return { reason: answer.type }
    // An own request of the organization had the name by which this one is known.
    case 'idempotency_mismatch':
    case 'precondition_failed':
      return { reason: 'changed_since' }
    case 'invalid':
      return { reason: 'invalid', message: answer.faults.map(({ message }) => message).join('; ') }
    case 'forbidden':
    case 'not_administrator':
      return { reason: 'forbidden' }
    case 'not_withdrawn':
    case 'version_unchanged':
      throw new Error(`assertion failed: an update of a work is not answered ${answer.type}`)
  }
}

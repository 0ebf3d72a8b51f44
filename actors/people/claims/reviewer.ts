import timers from 'node:timers/promises'
import type { ActorReport } from '#actors/kernel/actor_error.ts'
import type { Agent } from '#actors/values/agent.ts'
import type { PersonEntityMessage } from '#actors/people/claims/actor.ts'
import { authenticatedOrcid, readProfile } from '#actors/people/claims/record.ts'
import {
  type ClaimIdRow,
  readClaim,
  readClaimants,
  readClaimed,
} from '#actors/people/claims/views.ts'
import { positionOf } from '#actors/people/claims/match.ts'
import type { Shards } from '#actors/kernel/shards.ts'
import type { Follower, JournalEvent } from '#actors/journal/journal.ts'
import { ask } from '#actors/kernel/kernel.ts'
import { type NameHashes, streamPpid } from '#actors/people/events.ts'
import type { PersonReader, PersonSeal } from '#actors/people/record.ts'
import { metadataAt, streamArk } from '#actors/works/events.ts'
import { readWork } from '#actors/works/record.ts'
import { decodeRow, readerOf } from '#actors/journal/rows.ts'
import { scanSound } from '#log/store/damage.ts'
import type { Store } from '#log/store/store.ts'

/** What a reviewer reads, and whom it asks. */
export type ClaimReviewerOptions = {
  readonly store: Store
  readonly seal: PersonSeal
  readonly people: Shards<PersonEntityMessage>
  readonly askTimeoutMs: number
  readonly report: (report: ActorReport) => void
}

/** What may have made a claim true: a work that says something else now, or a person. */
type Task = { readonly ark: string } | { readonly ppid: string } | { readonly claim: ClaimIdRow }

/** Times a claim is looked at when nobody answers, and how long is waited in between. */
const attemptsMax = 5
const waitMs = 1_000

const service: Agent = { type: 'operator', id: 'claims', name: 'Claims', via: 'service' }

/**
 * Has claims verified whose person has signed in with an ORCID iD that the work names: when a work
 * gets other metadata, and when a person an ORCID iD. At the start it looks at all that wait, so
 * that nothing is lost with the process. Owns the list of what is to be looked at.
 */
export class ClaimReviewer implements Follower {
  readonly #options: ClaimReviewerOptions
  readonly #reader: PersonReader
  readonly #closing = new AbortController()
  readonly #tasks: Task[] = []
  #running: Promise<void> | undefined

  constructor(options: ClaimReviewerOptions) {
    this.#options = options
    this.#reader = { read: readerOf(options.store), seal: options.seal }
    this.#running = this.#run(() => this.#findWaiting())
  }

  /** Tells what was committed. */
  published(events: readonly JournalEvent[]): void {
    const tasks = events.flatMap((event) => this.#taskOf(event) ?? [])
    if (tasks.length === 0) return
    this.#tasks.push(...tasks)
    this.#running ??= this.#run(async () => {})
  }

  /** Resolves when all that was committed until now was looked at. */
  async settled(): Promise<void> {
    while (this.#running !== undefined) await this.#running
  }

  /** Ends after the claim that is being looked at. */
  async close(): Promise<void> {
    this.#closing.abort()
    await this.settled()
  }

  #taskOf(event: JournalEvent): Task | undefined {
    // Nothing is read here: a damaged row must not come between a commit and its answers.
    if (event.type === 'WorkVersioned') return { ark: streamArk(event.stream) }
    const ppid = streamPpid(event.stream)
    const { names } = event.data as { readonly names?: NameHashes }
    return ppid === undefined || names?.orcid === undefined ? undefined : { ppid }
  }

  async #run(begin: () => Promise<void>): Promise<void> {
    try {
      await begin()
      for (const claim of this.#drain()) await this.#review(claim)
    } catch (error) {
      this.#fail('read', error)
    }
    this.#running = undefined
    if (this.#tasks.length > 0 && !this.#closing.signal.aborted) {
      this.#running = this.#run(async () => {})
    }
  }

  async #findWaiting(): Promise<void> {
    const range = { gte: 'awaiting/', lt: 'awaiting0' }
    for await (const [, row] of scanSound(this.#options.store, range)) {
      if (this.#closing.signal.aborted) return
      this.#tasks.push(...this.#taskOfWaiting(decodeRow<ClaimIdRow>(row)))
    }
  }

  #taskOfWaiting(claim: ClaimIdRow): Task[] {
    try {
      return this.#isTrue(claim) ? [{ claim }] : []
    } catch (error) {
      this.#fail('read', error)
      return []
    }
  }

  #fail(message: string, error: unknown): void {
    const actor = 'claim reviewer'
    this.#options.report({ type: 'fault', actor, message, error })
  }

  /** The claims that are to be looked at, as far as they may be true now. */
  *#drain(): Generator<ClaimIdRow> {
    while (!this.#closing.signal.aborted) {
      const task = this.#tasks.shift()
      if (task === undefined) return
      for (const claim of this.#claimsOf(task)) if (this.#isTrue(claim)) yield claim
    }
  }

  *#claimsOf(task: Task): Generator<ClaimIdRow> {
    const { read } = this.#reader
    if ('claim' in task) yield task.claim
    else if ('ark' in task) {
      const { ark } = task
      for (const ppid of readClaimants(ark, read)) yield { ppid, ark }
    } else {
      const { ppid } = task
      for (let ark = readClaimed(ppid, read)?.newest ?? null; ark !== null; ) {
        yield { ppid, ark }
        ark = readClaim(ppid, ark, read)?.older ?? null
      }
    }
  }

  // The actor decides; this spares it what cannot be so.
  #isTrue({ ppid, ark }: ClaimIdRow): boolean {
    const { read } = this.#reader
    if (readClaim(ppid, ark, read)?.status !== 'pending') return false
    const orcid = authenticatedOrcid(readProfile(ppid, this.#reader))
    const work = orcid === undefined ? undefined : readWork(ark, read)?.state
    return work !== undefined && positionOf(orcid, metadataAt(work.position, read)) !== undefined
  }

  async #review({ ppid, ark }: ClaimIdRow): Promise<void> {
    const { people, askTimeoutMs } = this.#options
    const { signal } = this.#closing
    const command = { type: 'review', by: service } as const
    for (let attempt = 1; !signal.aborted; attempt += 1) {
      try {
        await ask(people.at(ppid), { type: 'claim', ark, command }, askTimeoutMs)
        return
      } catch (error) {
        if (attempt === attemptsMax) return this.#fail('review', error)
        await timers.setTimeout(waitMs, undefined, { signal, ref: false }).catch(() => {})
      }
    }
  }
}

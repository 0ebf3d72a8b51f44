import { hash, randomUUID } from 'node:crypto'
import fs from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { SingleBar } from 'cli-progress'
import { type Static, Type } from 'typebox'
import { Check } from 'typebox/schema'

import { assert } from '#log/tlog/errors.ts'
import { type AdminClient, AdminError } from '#src/cli/admin_client.ts'
import type { Batch, ImportFailure, ImportNote, WorkLine } from '#src/cli/import_batch.ts'
import {
  addToReport,
  type FieldReport,
  fieldReportSchema,
  newFieldReport,
} from '#src/cli/import_report.ts'
import { candidatesIn, type Registrant, registrantOf } from '#src/cli/registrant_names.ts'
import type { ReadNote } from '#src/discovery/citation_files/citation_file.ts'
import { parseJsonRecords } from '#src/discovery/citation_files/json_records.ts'
import type { Agency } from '#src/discovery/citation_files/record_line.ts'
import { ndjsonType } from '#src/edge/json_body.ts'
import type { BulkResult } from '#src/use_cases/registration.ts'
import type {
  EntryExtent,
  FieldChange,
  ImportAnswer,
  KeptField,
} from '#src/use_cases/work_import.ts'
import { notesOf, readWorksBody, worksOf } from '#src/use_cases/work_preparation.ts'
import type { FieldFault } from '#actors/values/fault_list.ts'

/**
 * How far an import came. `run` names its idempotency keys, so that lines which were sent but not
 * yet noted here are not registered twice. Every line up to `lines_done` has had its answer.
 */
const progressSchema = Type.Object({
  schema: Type.Literal(1),
  run: Type.String(),
  lines_done: Type.Integer({ minimum: 0 }),
  registered: Type.Integer({ minimum: 0 }),
  changed: Type.Optional(Type.Integer({ minimum: 0 })),
  /** Works that are as their entries say already. */
  unchanged: Type.Optional(Type.Integer({ minimum: 0 })),
  failed: Type.Integer({ minimum: 0 }),
  left_out: Type.Optional(Type.Integer({ minimum: 0 })),
  /** Of files that are imported together, those that are done, and the lines that stand in them. */
  files_done: Type.Optional(Type.Integer({ minimum: 0 })),
  lines_before: Type.Optional(Type.Integer({ minimum: 0 })),
  report: Type.Optional(fieldReportSchema),
  complete: Type.Boolean(),
})

export type ImportProgress = Static<typeof progressSchema>

/** What makes an import the same one when it is started again. */
type ImportIdentity = {
  /** Whose dump is migrated, and for whom. */
  readonly migration?: string | undefined
  /** SHA-256 of the file, in hex. */
  readonly fileHash: string
  readonly owner: string
  readonly environment: string
  /** Columns of a table that are named by hand. */
  readonly choices?: Readonly<Record<string, string | null>>
}

/** The file that remembers an import; it may be lost, and then the import starts anew. */
export function progressFile(dataDir: string, identity: ImportIdentity): string {
  const { fileHash, owner, environment, choices = {}, migration = '' } = identity
  const chosen = Object.keys(choices).length === 0 ? '' : `\n${JSON.stringify(choices)}`
  const name = hash('sha256', `${fileHash}\n${owner}\n${environment}${chosen}${migration}`).slice(
    0,
    32,
  )
  return path.join(dataDir, 'imports', `${name}.json`)
}

/** The progress of an earlier run, or that of a run which has not begun. */
export async function readProgress(file: string): Promise<ImportProgress> {
  try {
    const progress: unknown = JSON.parse(await fs.readFile(file, 'utf8'))
    if (Check(progressSchema, progress)) return progress
  } catch (error) {
    if (!(error instanceof SyntaxError) && (error as NodeJS.ErrnoException).code !== 'ENOENT') {
      throw error
    }
  }
  return newProgress()
}

/** The progress of an import that starts with the first line. */
export function newProgress(): ImportProgress {
  const run = randomUUID()
  return { schema: 1, run, lines_done: 0, registered: 0, failed: 0, complete: false }
}

/** How often the progress is written down and shown. */
const progressEveryMs = 200

/** Does some work of a run: its progress is shown and written down meanwhile, and at the end. */
export async function keepingProgress(
  run: { readonly progress: ImportProgress },
  kept: {
    /** Undefined if it is not written down. */
    readonly file: string | undefined
    readonly seen?: (progress: ImportProgress) => void
  },
  work: () => Promise<void>,
): Promise<void> {
  const { file, seen = () => undefined } = kept
  const save = async () => {
    if (file !== undefined) await writeProgress(file, run.progress)
  }
  let saved = Promise.resolve()
  const saving = setInterval(() => {
    seen(run.progress)
    saved = saved.then(save)
  }, progressEveryMs)
  try {
    await work()
    seen(run.progress)
  } finally {
    clearInterval(saving)
    await saved
    await save()
  }
}

/** Replaces the file whole, so that a crash leaves the old progress or the new. */
export async function writeProgress(file: string, progress: ImportProgress): Promise<void> {
  // Read before anything is waited for: the report in it goes on to grow.
  const line = `${JSON.stringify(progress)}\n`
  await fs.mkdir(path.dirname(file), { recursive: true, mode: 0o700 })
  await fs.writeFile(`${file}.new`, line)
  await fs.rename(`${file}.new`, file)
}

/**
 * The progress of an import on standard error: the part of the file that has been read, and the
 * works registered. Nothing is drawn where standard error is no terminal.
 */
export class ImportBar {
  readonly #source: { readonly bytesRead: number }
  readonly #startMs = performance.now()
  readonly #registeredBefore: number
  readonly #bar = new SingleBar({
    format: '{bar} {percentage}% | {works} works | {rate}/s | {failed} failed',
    stream: process.stderr,
    etaBuffer: 1,
    hideCursor: true,
  })

  constructor(
    source: { readonly bytesRead: number },
    fileBytes: number,
    { registered, failed }: ImportProgress,
  ) {
    this.#source = source
    this.#registeredBefore = registered
    this.#bar.start(fileBytes, 0, { works: registered, rate: 0, failed })
  }

  /** Draws where the import stands. */
  show({ registered, failed }: ImportProgress): void {
    const seconds = (performance.now() - this.#startMs) / 1_000
    const rate = Math.round((registered - this.#registeredBefore) / seconds)
    this.#bar.update(this.#source.bytesRead, { works: registered, rate, failed })
  }

  /** Leaves the bar as it is and the line after it free. */
  stop(): void {
    this.#bar.stop()
  }
}

/** Calls under way at one time: enough that the next pool is full when a commit returns. */
const callsMax = 4

/** How often, and after how long, a call is made again while the registry is overloaded. */
const overloadRetriesMax = 60
const overloadPauseMs = 500

/** Failures that are kept for the report; further ones are only counted. */
const failuresKeptMax = 10_000
/** Notes that are kept for the report, and changes of works; further ones are only counted. */
const notesKeptMax = 10_000
const changesKeptMax = 10_000

/** A work that an entry has changed, or would change; no `changes`: it is so already. */
export type ImportChange = {
  readonly file?: string
  readonly line: number
  readonly ark_identifier: string
  readonly version: number
  readonly changes: readonly FieldChange[]
}

type KeptChange = ImportChange & { readonly kept: readonly KeptField[] }

export type ImportRunOptions = {
  /** Undefined if the file is only looked at. */
  readonly client: AdminClient | undefined
  readonly owner: string
  readonly environment: 'live' | 'sandbox'
  readonly allowDuplicate: boolean
  /** What becomes of works that have the DOIs of entries; undefined if all are new works. */
  readonly updates: EntryExtent | undefined
  /** Organizations by what says whose an entry is; all others are of the owner. */
  readonly names?: ReadonlyMap<string, Registrant>
  /** Whose records are no others'. */
  readonly from?: Agency
  /** Whether works that others are related to by DOI are related by their ARKs too. */
  readonly relates?: boolean
  /** Whether works that are related to nothing are passed over. */
  readonly relatedOnly?: boolean
  /** Whether everything is looked at, and nothing is written. */
  readonly dryRun: boolean
  /** How far earlier runs came. */
  readonly earlier: ImportProgress
}

/** What became of works that were sent. */
type Sent = {
  readonly registered: number
  readonly changed: number
  readonly unchanged: number
  readonly leftOut: number
  readonly refused: readonly ImportFailure[]
  readonly notes: readonly ImportNote[]
  readonly carried: Readonly<Record<string, number>>
}

type AnsweredBatch = { readonly batch: Omit<Batch, 'works'>; readonly sent: readonly Sent[] }

/** One run of an import. It owns the counts and which batches are answered. */
export class ImportRun {
  readonly #options: ImportRunOptions
  readonly #failures: ImportFailure[] = []
  readonly #notes: ImportNote[] = []
  readonly #noteCounts = new Map<string, number>()
  readonly #changes: ImportChange[] = []
  readonly #owners = new Map<string, Promise<string>>()
  readonly #report: FieldReport
  #losses = 0
  /** Answered batches that wait for an earlier one, by their number. */
  readonly #answered = new Map<number, AnsweredBatch>()
  #nextToSettle = 0
  #progress: ImportProgress

  constructor(options: ImportRunOptions) {
    this.#options = options
    this.#progress = options.earlier
    this.#report = options.earlier.report ?? newFieldReport()
  }

  /** What became of the fields of the file. */
  get report(): FieldReport {
    return this.#report
  }

  /** How far the import has come: all lines up to one, so that it can go on after it. */
  get progress(): ImportProgress {
    return this.#progress
  }

  /** Failures of this run in the order of their lines. */
  get failures(): readonly ImportFailure[] {
    return this.#failures.toSorted(inOrder)
  }

  /** Notes of this run in the order of their lines. */
  get notes(): readonly ImportNote[] {
    return this.#notes.toSorted(inOrder)
  }

  /** How many notes there are of each kind, and how many of them are about a loss. */
  get noteCounts(): { readonly kinds: Readonly<Record<string, number>>; readonly losses: number } {
    return { kinds: Object.fromEntries(this.#noteCounts), losses: this.#losses }
  }

  /** Changes of works in the order of their lines. */
  get changes(): readonly ImportChange[] {
    return this.#changes.toSorted(inOrder)
  }

  /** Sends all batches; throws the first fault once the calls under way have ended. */
  async send(batches: AsyncGenerator<Batch>): Promise<void> {
    let number = 0
    let stopped = false
    const sender = async (): Promise<void> => {
      while (!stopped) {
        const next = await batches.next()
        if (next.done === true) return
        await this.#answer(number++, next.value)
      }
    }
    const senders = Array.from({ length: callsMax }, () =>
      sender().catch((error: unknown) => {
        stopped = true
        throw error
      }),
    )
    const failed = (await Promise.allSettled(senders)).find((end) => end.status === 'rejected')
    if (failed !== undefined) throw failed.reason
    this.#progress = { ...this.#progress, complete: true }
  }

  async #answer(number: number, { works, ...batch }: Batch): Promise<void> {
    this.#note(batch.notes)
    const sent = await this.#sendByOwner(works)
    for (const { notes } of sent) this.#note(notes)
    for (const failures of [batch.failures, ...sent.map(({ refused }) => refused)]) {
      this.#failures.push(...failures.slice(0, failuresKeptMax - this.#failures.length))
    }
    this.#answered.set(number, { batch, sent })
    this.#settle()
  }

  /** Keeps notes for the report. */
  #note(notes: readonly ImportNote[]): void {
    for (const note of notes) {
      this.#noteCounts.set(note.kind, (this.#noteCounts.get(note.kind) ?? 0) + 1)
      if (note.isLoss) this.#losses += 1
      if (this.#notes.length < notesKeptMax) this.#notes.push(note)
    }
  }

  /** Counts the answered batches up to the first that is still waited for. */
  #settle(): void {
    for (;;) {
      const answered = this.#answered.get(this.#nextToSettle)
      if (answered === undefined) return
      this.#answered.delete(this.#nextToSettle++)
      const { batch, sent } = answered
      const { registered, changed = 0, unchanged = 0, failed, left_out = 0 } = this.#progress
      const { place } = batch
      const sum = (count: (each: Sent) => number) =>
        sent.reduce((all, each) => all + count(each), 0)
      addToReport(this.#report, {}, batch.notes)
      for (const { carried, notes } of sent) addToReport(this.#report, carried, notes)
      this.#progress = {
        ...this.#progress,
        lines_done: batch.lastLine,
        registered: registered + sum((each) => each.registered),
        changed: changed + sum((each) => each.changed),
        unchanged: unchanged + sum((each) => each.unchanged),
        failed: failed + batch.failures.length + sum(({ refused }) => refused.length),
        left_out: left_out + batch.leftOut + sum((each) => each.leftOut),
        ...(place && { files_done: place.index, lines_before: place.before }),
        report: this.#report,
      }
    }
  }

  /** Sends the works of each owner in calls of their own. */
  async #sendByOwner(works: readonly WorkLine[]): Promise<readonly Sent[]> {
    const { names = new Map<string, Registrant>() } = this.#options
    const owners = Map.groupBy(works, ({ bytes }) => {
      if (names.size === 0) return undefined
      return registrantOf(names, parseJsonRecords(bytes.toString()).flatMap(candidatesIn))
    })
    const sent: Sent[] = []
    for (const [registrant, some] of owners) {
      sent.push(await this.#send(some, await this.#ownerFor(registrant)))
    }
    return sent
  }

  /** The organization that registers, which is made if it is not there. */
  #ownerFor(registrant: Registrant | undefined): Promise<string> {
    const { client, owner, dryRun } = this.#options
    if (registrant === undefined || client === undefined) return Promise.resolve(owner)
    const { slug } = registrant
    const known = this.#owners.get(slug)
    if (known !== undefined) return known
    const found = client.call('/organizations/members', { slug }).then(
      () => `org:${slug}`,
      async (error: unknown) => {
        if (!(error instanceof AdminError) || error.code !== 'not_found') throw error
        // A dry run makes no organization, so that another one stands for it.
        if (dryRun) return owner
        await client.call('/organizations/create', { organization: { ...registrant } })
        return `org:${slug}`
      },
    )
    this.#owners.set(slug, found)
    return found
  }

  /** Registers and changes works. */
  async #send(works: readonly WorkLine[], owner: string): Promise<Sent> {
    const { results, carried } = await this.#callPatiently(works, owner)
    const sent = { registered: 0, changed: 0, unchanged: 0, leftOut: 0 }
    const refused: ImportFailure[] = []
    const notes: ImportNote[] = []
    for (const result of results as readonly ImportResult[]) {
      const work = works[result.index]
      assert(work !== undefined, 'the registry answers what it was sent')
      const { key } = work
      for (const note of result.notes ?? []) notes.push({ ...note, ...placeOf(work), key })
      if (result.status >= 300) refused.push(failureOf(work, result))
      else if (result.left_out === true) sent.leftOut += 1
      else if (isChange(result)) {
        this.#keepChange(work, result)
        sent[result['unchanged'] === true ? 'unchanged' : 'changed'] += 1
      } else if (result.passed_over !== true) sent.registered += 1
    }
    return { ...sent, refused, notes, carried }
  }

  #keepChange(work: WorkLine, result: BulkResult): void {
    const { ark_identifier, version, changes, kept } = result as BulkResult & KeptChange
    const told = { kind: 'taken_as', key: ark_identifier, isLoss: false } as const
    this.#note(kept.map((each) => ({ ...each, ...placeOf(work), ...told })))
    if (this.#changes.length >= changesKeptMax) return
    // Of works that are found by their DOIs, most are as they should be.
    if (work.ark === undefined && result['unchanged'] === true) return
    this.#changes.push({ ...placeOf(work), ark_identifier, version, changes })
  }

  async #callPatiently(works: readonly WorkLine[], owner: string): Promise<ImportAnswer> {
    const body = this.#body(works, owner)
    const { client } = this.#options
    for (let retries = 0; ; retries++) {
      try {
        const answer =
          client === undefined
            ? await readImport(body)
            : await client.callWithBytes('/works/import', body, ndjsonType)
        if (retries >= overloadRetriesMax || !answer.results.some(mayPassLater)) return answer
      } catch (error) {
        const overloaded = error instanceof AdminError && error.status === 503
        if (!overloaded || retries >= overloadRetriesMax) throw error
      }
      await sleep(overloadPauseMs)
    }
  }

  /** The lines of a call: its members, and the works as they stand. */
  #body(works: readonly WorkLine[], owner: string): Buffer {
    const { environment, updates, relates = false, relatedOnly = false, from } = this.#options
    const { allowDuplicate: allow_duplicate, dryRun: dry_run } = this.#options
    const { run } = this.#progress
    const form = works[0]?.form ?? 'work'
    const areNamed = works.some(({ ark }) => ark !== undefined)
    const head = {
      owner,
      environment,
      allow_duplicate,
      ...(form !== 'work' && { form, keys: works.map(({ key }) => key) }),
      ...(from !== undefined && { from }),
      ...(areNamed && { arks: works.map(({ ark = null }) => ark) }),
      ...(updates !== undefined && { updates }),
      ...(relates && { relates }),
      ...(relatedOnly && { related_only: true }),
      idempotency_keys: works.map(({ number }) => `import-${run}-${number}`),
      batch: run,
      ...(dry_run && { dry_run }),
    }
    const parts: Buffer[] = [Buffer.from(JSON.stringify(head))]
    for (const { bytes } of works) parts.push(lineFeed, onOneLine(bytes))
    return Buffer.concat(parts)
  }
}

const lineFeed = Buffer.from('\n')

/** A value of JSON without line breaks, which have no meaning there. */
function onOneLine(bytes: Buffer): Buffer {
  if (!bytes.includes(0x0a)) return bytes
  return Buffer.from(bytes.toString('latin1').replaceAll('\n', ' '), 'latin1')
}

/** What a registry would tell of the entries of a call as it reads them, without one. */
async function readImport(body: Buffer): Promise<ImportAnswer> {
  const { works } = (await readWorksBody(body, 'headed_lines')) as { works: readonly unknown[] }
  const results = works.flatMap((line, index) =>
    worksOf(line).map((work) => ({ index, status: 200, left_out: true, notes: notesOf(work) })),
  )
  return { results, carried: {} }
}

type ImportResult = BulkResult & {
  readonly notes?: readonly ReadNote[]
  readonly left_out?: boolean
  readonly passed_over?: boolean
}

function isChange({ changes }: BulkResult & { readonly changes?: unknown }): boolean {
  return changes !== undefined
}

type Placed = { readonly file?: string; readonly line: number }

const byName = new Intl.Collator('en', { numeric: true })

/** By the files of an archive, as their names have them, and by line. */
function inOrder(one: Placed, other: Placed): number {
  const isSame = one.file === other.file
  const byFile = isSame ? 0 : byName.compare(one.file ?? '', other.file ?? '')
  return byFile || one.line - other.line
}

function placeOf({ line, file }: WorkLine) {
  return { ...(file !== undefined && { file }), line }
}

/** Refusals that pass: the registry is busy, or an interrupted run's call is still at work. */
function mayPassLater({ status, error }: BulkResult & { readonly error?: unknown }): boolean {
  return status === 503 || error === 'conflict'
}

/** What failed of a line; a fault of the registry ends the import, which can go on later. */
function failureOf(work: WorkLine, result: BulkResult): ImportFailure {
  const { status, error, message, details } = result as BulkResult & Partial<ErrorBody>
  const body: ErrorBody = { error: String(error), message: String(message), details: details ?? [] }
  if (status >= 500) throw new AdminError(status, body)
  const isRead = work.form !== 'work' && body.error === 'validation_failed'
  const faults = body.details.map((fault) => fault.message).join(isRead ? ' ' : '; ')
  // The message says the first of the faults, and these are all.
  const text = faults || body.message
  const told = isRead ? `${work.key}: ${text}` : text
  return { ...placeOf(work), status, error: body.error, message: told }
}

type ErrorBody = {
  readonly error: string
  readonly message: string
  readonly details: readonly FieldFault[]
}

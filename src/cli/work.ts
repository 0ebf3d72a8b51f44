import fs from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Command, Option } from 'commander'

import type { EnvironmentName } from '#actors/registry/environment.ts'
import type { FixityCheck } from '#actors/works/content.ts'
import type { FixityOverview } from '#actors/works/fixity/client.ts'
import { readConfig } from '#config/config.ts'
import {
  type AdminClient,
  calling,
  ServerGoneError,
  withAdminClient,
} from '#src/cli/admin_client.ts'
import { addCommand, type JsonOption, print, printable, UnusableError } from '#src/cli/program.ts'
import { defineSuspension } from '#src/cli/suspension.ts'
import { csvRow } from '#src/discovery/formats/csv_row.ts'
import type { AdminBody, AdminReply } from '#src/http/admin/command_table.ts'
import { type ErasureReason, erasureReasons, withdrawalReasons } from '#actors/works/port.ts'
import { readWorkList } from '#src/use_cases/bulk_change.ts'
import { bulkPartWorks } from '#src/use_cases/bulk_change_jobs.ts'
import { type BulkEdit, type BulkFilter, describeBulkEdit } from '#src/use_cases/bulk_edit.ts'
import { takedownReasons } from '#src/use_cases/takedown.ts'

type ConflictingWork = AdminReply<'/works/conflicts'>['works'][number]

type ConflictOptions = { readonly sandbox: boolean; readonly json: boolean }

type TakedownOptions = JsonOption & { readonly reason: string; readonly note?: string }

type EraseOptions = JsonOption & {
  readonly withdraw: boolean
  readonly reason: ErasureReason
  readonly note?: string
}

const notes = `
Title, authors, addresses and all other metadata of all versions are removed from every reply, and
from the files of the store. Receipts, hashes and proofs stay and still verify, and the work's
history shows when it was erased. The owner is told by mail. You cannot undo this. Copies elsewhere
(backups, snapshots of the file system, harvested records) are your responsibility.`

const conflictNotes = `
Citations, formats and pages show the names in author_details. For each author you get the position,
the name in authors, and the name that is shown. To correct a work, its registrant sends authors and
author_details together. At most 20 authors of a work are listed.`

const takedownNotes = `
The reason is one of ${takedownReasons.join(', ')}. The tombstone, the history, feeds and the
signed statement say that the operator of the registry did it. The work's owner can read the
reason and the note. Name the work by its ARK, its page address, or its DOI.`

const againNotes = `
Nobody can undo a withdrawal. This registers the work again for its owner, with the metadata of
its newest version and a relation (IsIdenticalTo) to the old ARK, whose page leads to the new one.
The owner is told by mail. A work whose metadata was erased cannot come back.`

/** Adds the commands `work …`, which work whether or not a server is running. */
export function defineWork(program: Command): void {
  const work = program
    .command('work')
    .description('take down, erase and change works, and find conflicts')
  addCommand(work, 'takedown', 'withdraw any work, as the operator of the registry')
    .argument('<work>', 'its ARK in any spelling, its page address, or its DOI')
    .requiredOption('--reason <word>', 'reason, a word that readers see permanently')
    .option('--note <text>', 'note for readers')
    .addHelpText('after', takedownNotes)
    .action(takeDownWork)
  addCommand(work, 'register-again', 'register a withdrawn work again, under a new ARK')
    .argument('<work>', 'its ARK in any spelling, or its page address')
    .addHelpText('after', againNotes)
    .action(registerAgain)
  defineSuspension(work, 'work', ['<work>', 'its ARK, its page address, or its DOI'])
  addCommand(work, 'erase', 'permanently erase the metadata of a withdrawn work')
    .argument('<ark>', 'the work, in any spelling of its ARK')
    .option('--withdraw', 'first withdraw the work, with the same reason', false)
    .addOption(
      new Option('--reason <word>', 'reason, a word that readers see permanently')
        .choices([...erasureReasons])
        .default('legal'),
    )
    .option('--note <text>', 'note for the owner and the audit log')
    .addHelpText('after', notes)
    .action(eraseWork)
  addCommand(work, 'conflicts', 'list works whose authors and author_details differ')
    .option('--sandbox', 'use the sandbox instead of the live environment', false)
    .addHelpText('after', conflictNotes)
    .action(listConflicts)
  defineWorkChange(work)
}

const takeDownWork = calling(
  '/works/takedown',
  (work: string, { reason, note }: TakedownOptions) => ({
    work,
    reason,
    ...(note !== undefined && { note }),
  }),
  (reply) => {
    const { ark_identifier: identifier } = reply
    return [reply, `The work ${identifier} of ${reply.owner} is taken down.`]
  },
)

const registerAgain = calling(
  '/works/register-again',
  (work: string) => ({ work }),
  (reply) => [
    reply,
    `The work ${reply.ark_identifier} of ${reply.owner} is registered again: ${reply.new_ark}`,
  ],
)

const eraseWork = calling(
  '/works/erase',
  (ark: string, { withdraw, reason, note }: EraseOptions) => ({
    ark,
    withdraw,
    reason,
    ...(note !== undefined && { note }),
  }),
  (reply) => {
    const { ark_identifier: identifier, erased_at: erasedAt, is_purged: isPurged } = reply
    const what = `The metadata of ${identifier} was erased at ${erasedAt}`
    const where = isPurged
      ? 'nothing of it is left in the files of the store.'
      : 'the files of the store are not rid of it yet, which goes on, also after a restart.'
    return [reply, `${what}; ${where}`]
  },
)

async function listConflicts({ sandbox, json }: ConflictOptions): Promise<void> {
  const environment = sandbox ? 'sandbox' : 'live'
  const works: ConflictingWork[] = []
  let lookedAt = 0
  await withAdminClient(readConfig(process.env), async (client) => {
    for (let after: number | null | undefined; after !== null; ) {
      const wanted = { environment, ...(after !== undefined && { after }) } as const
      const page = await client.call('/works/conflicts', wanted)
      works.push(...page.works)
      lookedAt += page.looked_at
      after = page.next
    }
  })
  const lines = works.map(formatConflicts)
  const summary = `${works.length} of ${lookedAt} works name authors in two ways.`
  print({ json }, { works, looked_at: lookedAt }, [...lines, summary].join('\n'))
}

function formatConflicts({ ark_identifier: ark, version, conflicts }: ConflictingWork): string {
  const lines = conflicts.map(({ place, name, shown }) => {
    return `  author ${place}: authors has “${name}”, shown is “${shown}”`
  })
  return printable([`${ark} v${version}`, ...lines].join('\n'))
}

/** How the checking of content is doing in each environment, for people. */
function formatOverviews(overviews: Readonly<Record<EnvironmentName, FixityOverview>>): string {
  const parts = Object.entries(overviews).map(([name, overview]) =>
    [name, ...factLines(describe(overview))].join('\n'),
  )
  return parts.join('\n\n')
}

function describe(overview: FixityOverview): [string, string][] {
  const { fetching, queue_depth: works, due, oldest_pending_at: since, in_flight } = overview
  const oldest = since === null ? '' : `, the oldest since ${since}`
  return [
    ['fetching', fetching ? `yes, ${in_flight} under way` : 'no: turned off, or no server runs'],
    ['to be checked', `${works}, ${due} of them due${oldest}`],
    ['states', formatCounts(overview.states)],
    ['checks so far', formatCounts(overview.outcomes) || 'none since the start'],
  ]
}

function formatCounts(counts: Readonly<Record<string, number>>): string {
  return Object.entries(counts)
    .map(([name, count]) => `${name} ${count}`)
    .join(', ')
}

/** What is known of the content of one work, for people. */
function formatFixity(record: AdminReply<'/fixity/read'>): string {
  const { ark_identifier: ark, version, fixity_status: status, message, content_hash } = record
  const source = record.hash_source === null ? '' : ` (${record.hash_source})`
  const facts: [string, string | null][] = [
    ['address', record.content_url],
    ['hash', content_hash === null ? 'not known yet' : `${content_hash}${source}`],
    ['size', record.size === null ? null : `${record.size} bytes`],
    ['media type', record.media_type],
    ['why', message],
    ['checked', record.checked_at ?? 'never'],
    ['next check', record.next_check_at ?? 'none: the work was withdrawn'],
  ]
  const known = facts.filter((fact): fact is [string, string] => fact[1] !== null)
  const checks = record.fixity_checks.map(formatCheck)
  return printable([`${ark} v${version} ${status}`, ...factLines(known), ...checks].join('\n'))
}

function formatCheck({ timestamp, status, message, final_url: url }: FixityCheck): string {
  const parts = [timestamp, status.padEnd('unreachable'.length), message ?? 'in order', url ?? '']
  return `  ${parts.join('  ').trimEnd()}`
}

function factLines(facts: readonly (readonly [string, string])[]): string[] {
  return facts.map(([name, value]) => `  ${name.padEnd(14)} ${value}`)
}

const statusNotes = `
Without an ARK it shows how many works are in each state, how many are due, and the results of
checks since the server started. With an ARK it shows what is known of the content of the work's
newest version, and its last checks.`

const recheckNotes = `
The work becomes due now, before all works that are due by age. It is checked as soon as its host
allows it. If no server is running, it is checked after the next start.`

/** Adds `fixity status|recheck`, which work whether or not a server is running. */
export function defineFixity(program: Command): void {
  const fixity = program.command('fixity').description('manage content checks')
  addCommand(fixity, 'status', 'show the state of content checks, or of one work')
    .argument('[ark]', 'the work, in any spelling of its ARK')
    .addHelpText('after', statusNotes)
    .action((...given: readonly unknown[]) =>
      given[0] === undefined ? showOverviews(...given) : showFixity(...given),
    )
  addCommand(fixity, 'recheck', 'check the content of a work now')
    .argument('<ark>', 'the work, in any spelling of its ARK')
    .addHelpText('after', recheckNotes)
    .action(recheck)
}

const showOverviews = calling(
  '/fixity/status',
  () => ({}),
  (status) => [status, formatOverviews(status)],
)

const showFixity = calling(
  '/fixity/read',
  (ark: string) => ({ ark }),
  (record) => [record, formatFixity(record)],
)

const recheck = calling(
  '/fixity/recheck',
  (ark: string) => ({ ark }),
  (record) => [record, `${record.ark_identifier} is due to be checked now.`],
)

type Job = AdminReply<'/works/change'>

type ChangeOptions = RunOptions & {
  readonly sandbox: boolean
  readonly in?: string
  readonly where: readonly string[]
  readonly set: readonly string[]
  readonly remove: readonly string[]
  readonly replaceAddress?: readonly string[]
  readonly renameAuthor?: readonly string[]
  readonly reread: boolean
}

const changeNotes = `
Which works: all of the organization; those that match every --where (q, type, license, language,
publisher, container, address, year, registered_from, registered_to), as in --where
year=2019-2024; or those of the file --in, which has an ARK or a DOI on each line, or is CSV with
a column ark.

What changes: --set license=CC-BY-4.0 (publisher_name, container_title, language, work_type),
--remove license, --replace-address http://old/ https://new/, --rename-author "Old Name" "Name,
New", and --reread, which reads every value (a language, a licence, an identifier) again with the
current tables. With --dry-run, --reread lists the works that would differ, and those with values
that would be refused today; these stay as they are.

With --dry-run it changes nothing and prints every difference, with --csv as CSV. Each changed
work gets a new version with its own receipt. An interrupted command continues with "work
change-resume", or as soon as a server runs. No work is changed twice.`

const undoNotes = `
Works that were registered since then are withdrawn, with the reason and the note. Works that were
withdrawn are registered again, under a new ARK, unless their metadata was erased. Other works get
back the metadata that they had before. Works that somebody else changed afterwards are left out
and listed. Each work gets its own version and receipt, or its own signed withdrawal, as the act
of the operator of the registry. The owners are told by mail.

The reason is one of ${withdrawalReasons.join(', ')}.

First revoke the key or end the membership, and try with --dry-run: nobody can undo a withdrawal.
"work change-resume" resumes an interrupted command, and "work change-stop" stops it.`

/** Adds `work change` and what tells of it, which work whether or not a server is running. */
function defineWorkChange(work: Command): void {
  const gather = (value: string, before: readonly string[]) => [...before, value]
  addCommand(work, 'change', 'change many works of an organization')
    .argument('<organization>', 'its slug')
    .option('--sandbox', 'use the sandbox instead of the live environment', false)
    .option('--in <file>', 'the works: ARKs or DOIs, one per line, or CSV with a column ark')
    .option('--where <condition>', 'only works that match this; repeatable', gather, [])
    .option('--set <value>', 'a field and its new value; repeatable', gather, [])
    .option('--remove <field>', 'a field to remove; repeatable', gather, [])
    .option('--replace-address <from-to...>', 'prefix of addresses and its replacement')
    .option('--rename-author <from-to...>', 'name of an author and the new name')
    .option('--reread', 'read all values again with the current tables', false)
    .option('--dry-run', 'change nothing and print the differences', false)
    .option('--csv', 'print the differences as CSV', false)
    .addHelpText('after', changeNotes)
    .action(changeWorks)
  addCommand(work, 'undo', 'undo all that somebody did to works of an organization since a time')
    .argument('<organization>', 'its slug')
    .requiredOption('--by <actor>', 'who did it: key:ID, person:PPID or application:ID')
    .requiredOption('--since <time>', 'a day or a time in UTC, such as 2026-11-28T15:00')
    .requiredOption('--reason <word>', 'reason, a word that readers of withdrawn works see')
    .option('--note <text>', 'note for readers')
    .option('--sandbox', 'use the sandbox instead of the live environment', false)
    .option('--dry-run', 'change nothing, and print counts and ten examples', false)
    .option('--csv', 'print all works as CSV', false)
    .addHelpText('after', undoNotes)
    .action(undoChanges)
  const named = (name: string, about: string) =>
    addCommand(work, name, about)
      .argument('<organization>', 'its slug')
      .argument('<id>', 'ID of the change, as printed by "work change"')
  named('change-resume', 'resume a change of many works').action(resumeChange)
  named('change-stop', 'stop a change of many works').action(stopChange)
}

async function changeWorks(organization: string, options: ChangeOptions): Promise<void> {
  const body = {
    organization,
    environment: options.sandbox ? 'sandbox' : 'live',
    edit: editOf(options),
    selection: await selectionOf(options),
  } as const satisfies AdminBody<'/works/change'>
  await previewAndCarryOut(body, options)
}

type UndoOptions = RunOptions & {
  readonly sandbox: boolean
  readonly by: string
  readonly since: string
  readonly reason: string
  readonly note?: string
}

async function undoChanges(organization: string, options: UndoOptions): Promise<void> {
  const { by, since, reason, note } = options
  const known = withdrawalReasons.find((word) => word === reason)
  if (known === undefined) {
    throw new UnusableError(`--reason is one of ${withdrawalReasons.join(', ')}.`)
  }
  const undo = { by, since, reason: known, ...(note !== undefined && { note }) }
  const environment = options.sandbox ? 'sandbox' : 'live'
  await previewAndCarryOut(
    { organization, environment, edit: { undo }, selection: { filter: {} } },
    options,
    examplesMax,
  )
}

type RunOptions = JsonOption & { readonly dryRun: boolean; readonly csv: boolean }

/** Works of an undo that a dry run prints. */
const examplesMax = 10

/** Prepares a change, and tells of it or carries it out; `shownMax` works are told of. */
async function previewAndCarryOut(
  body: AdminBody<'/works/change'>,
  options: RunOptions,
  shownMax?: number,
): Promise<void> {
  await withAdminClient(readConfig(process.env), async (client) => {
    const job = await client.call('/works/change', body)
    if (options.dryRun) return printDifferences(client, job, options, shownMax)
    if (job.ready === 0) return print(options, job, describeJob(job))
    await carryOut(client, job, options)
  })
}

/** Begins a change, or goes on with it; when its server ends meanwhile, the change goes on. */
async function carryOut(
  client: AdminClient,
  { organization, id }: Pick<Job, 'organization' | 'id'>,
  options: JsonOption,
): Promise<void> {
  try {
    await finish(client, await client.call('/works/change/start', { organization, id }), options)
  } catch (error) {
    if (!(error instanceof ServerGoneError)) throw error
    const next = `then run "arklog work change-resume ${organization} ${id}": it is under way.`
    throw new ServerGoneError(error.cause, next)
  }
}

async function resumeChange(organization: string, id: string, options: JsonOption): Promise<void> {
  await withAdminClient(readConfig(process.env), async (client) => {
    await carryOut(client, { organization, id }, options)
  })
}

const stopChange = calling(
  '/works/change/stop',
  (organization: string, id: string) => ({ organization, id }),
  (job) => [job, describeJob(job)],
)

/** How often it is asked how far a change is. */
const askedEveryMs = 250

/** Waits for the end of a change, and tells of it; who works for it is the registry. */
async function finish(
  client: AdminClient,
  { organization, id }: Job,
  options: JsonOption,
): Promise<void> {
  let told = -1
  for (;;) {
    const job = await client.call('/works/change/read', { organization, id })
    if (job.state === 'done' || job.state === 'stopped')
      return print(options, job, describeJob(job))
    if (!options.json && job.done !== told) {
      process.stderr.write(`${id}: ${job.done} of ${countWorks(job.ready)}\n`)
    }
    told = job.done
    await sleep(askedEveryMs)
  }
}

function describeJob({
  id,
  state,
  edit,
  ready,
  withdrawals,
  registrations,
  left,
  left_more,
  is_cut,
  done,
  changed,
}: Job): string {
  const lines = [
    `${id} (${state}): ${describeBulkEdit(edit)}`,
    `${countWorks(ready)} to change, ${left + left_more} left out`,
    ...(withdrawals ? [`${withdrawals} of them to withdraw`] : []),
    ...(registrations ? [`${registrations} of them to register again`] : []),
    ...(state === 'draft' ? [] : [`${countWorks(changed)} changed, ${done - changed} not`]),
    ...(is_cut ? ['More works are chosen: run the command again for the rest.'] : []),
  ]
  return printable(lines.join('\n'))
}

function countWorks(count: number): string {
  return `${count} ${count === 1 ? 'work' : 'works'}`
}

async function printDifferences(
  client: AdminClient,
  job: Job,
  options: RunOptions,
  shownMax = Infinity,
): Promise<void> {
  const works: AdminReply<'/works/change/part'>['works'][number][] = []
  const left: AdminReply<'/works/change/part'>['left_out'][number][] = []
  for (let part = 0; part * bulkPartWorks < Math.max(job.ready, job.left); part += 1) {
    const page = await client.call('/works/change/part', {
      organization: job.organization,
      id: job.id,
      part,
    })
    works.push(...page.works)
    left.push(...page.left_out)
  }
  const changes = works.flatMap(({ ark_identifier: ark, changes: all, withdraws, registers }) =>
    withdraws === true || registers === true
      ? [[ark, 'status', ...statuses(withdraws === true), '']]
      : all.map(({ field, before, after }) => [
          ark,
          field,
          valueText(before),
          valueText(after),
          '',
        ]),
  )
  const kept = left.map(({ work, reason, message }) => {
    return [work, '', '', '', message === undefined ? reason : `${reason}: ${message}`]
  })
  const rows = [['work', 'field', 'before', 'after', 'left_out'], ...changes, ...kept]
  const lines = [...changes, ...kept].map(([work, field, before, after, reason]) =>
    reason === '' ? `${work} ${field}: ${before} → ${after}` : `${work} left out: ${reason}`,
  )
  const more = lines.length > shownMax ? ['… with --csv or --json: all of them'] : []
  const text = options.csv
    ? rows.map(csvRow).join('').trimEnd()
    : printable([...lines.slice(0, shownMax), ...more, describeJob(job)].join('\n'))
  print(options, { ...job, works, left_out: left }, text)
}

function statuses(withdraws: boolean): readonly string[] {
  return withdraws ? ['registered', 'withdrawn'] : ['withdrawn', 'registered again']
}

function valueText(value: unknown): string {
  if (value === null) return ''
  return typeof value === 'string' ? value : JSON.stringify(value)
}

function editOf(options: ChangeOptions): BulkEdit {
  const { set, remove, replaceAddress, renameAuthor, reread } = options
  return Object.fromEntries([
    ...set.map(assignment),
    ...remove.map((name) => [name, null] as const),
    ...replacement('work_url', '--replace-address', replaceAddress),
    ...replacement('author', '--rename-author', renameAuthor),
    ...(reread ? [['reread', true] as const] : []),
  ]) as BulkEdit
}

function assignment(text: string): readonly [string, string] {
  const at = text.indexOf('=')
  if (at > 0) return [text.slice(0, at), text.slice(at + 1)]
  throw new UnusableError(`“${text}” is no name and value: write name=value.`)
}

function replacement(name: string, option: string, given: readonly string[] | undefined) {
  if (given === undefined) return []
  const [from, to, ...more] = given
  if (from !== undefined && to !== undefined && more.length === 0) return [[name, { from, to }]]
  throw new UnusableError(`${option} needs two texts: the old one and the new one.`)
}

async function selectionOf({ in: file, where }: ChangeOptions) {
  const filter = Object.fromEntries(where.map(assignment)) as BulkFilter
  if (file === undefined) return { filter }
  if (where.length > 0) throw new UnusableError('Give --in or --where, not both.')
  return { works: [...readWorkList(await fs.readFile(file, 'utf8'))] }
}

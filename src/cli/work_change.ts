import fs from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Command } from 'commander'

import { readConfig } from '#config/config.ts'
import type { AdminBody, AdminReply } from '#src/http/admin/command_table.ts'
import { type AdminClient, calling, withAdminClient } from '#src/cli/admin_client.ts'
import { addCommand, type JsonOption, print, printable, UnusableError } from '#src/cli/program.ts'
import { csvRow } from '#src/discovery/formats/csv_row.ts'
import { readWorkList } from '#src/use_cases/bulk_change.ts'
import { bulkPartWorks } from '#src/use_cases/bulk_change_jobs.ts'
import { type BulkEdit, type BulkFilter, describeBulkEdit } from '#src/use_cases/bulk_edit.ts'

type Job = AdminReply<'/works/change'>

type ChangeOptions = JsonOption & {
  readonly sandbox: boolean
  readonly in?: string
  readonly where: readonly string[]
  readonly set: readonly string[]
  readonly remove: readonly string[]
  readonly replaceAddress?: readonly string[]
  readonly renameAuthor?: readonly string[]
  readonly reread: boolean
  readonly dryRun: boolean
  readonly csv: boolean
}

const notes = `
Which works: all of the organization; those that every --where finds (q, type, license, language,
publisher, container, address, year, registered_from, registered_to), as --where year=2019-2024;
or those of the file --in, which has an ARK or a DOI in each line, or is CSV with a column ark.

What changes: --set license=CC-BY-4.0 (publisher_name, container_title, language, work_type),
--remove license, --replace-address http://old/ https://new/,
--rename-author "Old Name" "Name, New", and --reread: every value that would be read differently
today (a language, a licence, an identifier) becomes what it would be read as; with --dry-run this
lists such works, and those with values that would be refused today, which stay as they are.

With --dry-run it changes nothing and prints every difference, with --csv as CSV. Each work becomes
a new version with its own receipt. A command that is interrupted goes on with "work change-resume",
or as soon as a server runs; no work is changed twice.`

/** Adds `work change` and what tells of it, which work whether or not a server is running. */
export function defineWorkChange(work: Command): void {
  const gather = (value: string, before: readonly string[]) => [...before, value]
  addCommand(work, 'change', 'change many works of an organization at once')
    .argument('<organization>', 'its slug')
    .option('--sandbox', 'those of the sandbox instead of the live ones', false)
    .option('--in <file>', 'the works: ARKs or DOIs, one a line, or CSV with a column ark')
    .option('--where <condition>', 'only works of which this is true; repeatable', gather, [])
    .option('--set <value>', 'a field and its new value; repeatable', gather, [])
    .option('--remove <field>', 'a field that is to be removed; repeatable', gather, [])
    .option('--replace-address <from-to...>', 'a beginning of addresses, and what replaces it')
    .option('--rename-author <from-to...>', 'the name of an author, and the new one')
    .option('--reread', 'read all values again, by the tables of today', false)
    .option('--dry-run', 'change nothing, and print what differs', false)
    .option('--csv', 'print the differences as CSV', false)
    .addHelpText('after', notes)
    .action(changeWorks)
  const named = (name: string, about: string) =>
    addCommand(work, name, about)
      .argument('<organization>', 'its slug')
      .argument('<id>', 'the change, as "work change" has told it')
  named('change-resume', 'go on with a change of many works, to its end').action(resumeChange)
  named('change-stop', 'end a change of many works before its next works').action(stopChange)
}

async function changeWorks(organization: string, options: ChangeOptions): Promise<void> {
  const body = {
    organization,
    environment: options.sandbox ? 'sandbox' : 'live',
    edit: editOf(options),
    selection: await selectionOf(options),
  } as const satisfies AdminBody<'/works/change'>
  await withAdminClient(readConfig(process.env), async (client) => {
    const job = await client.call('/works/change', body)
    if (options.dryRun) return printDifferences(client, job, options)
    if (job.ready === 0) return print(options, job, describe(job))
    await client.call('/works/change/start', { organization, id: job.id })
    await finish(client, job, options)
  })
}

async function resumeChange(organization: string, id: string, options: JsonOption): Promise<void> {
  await withAdminClient(readConfig(process.env), async (client) => {
    const job = await client.call('/works/change/start', { organization, id })
    await finish(client, job, options)
  })
}

const stopChange = calling(
  '/works/change/stop',
  (organization: string, id: string) => ({ organization, id }),
  (job) => [job, describe(job)],
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
    if (job.state === 'done' || job.state === 'stopped') return print(options, job, describe(job))
    if (!options.json && job.done !== told) {
      process.stderr.write(`${id}: ${job.done} of ${countWorks(job.ready)}\n`)
    }
    told = job.done
    await sleep(askedEveryMs)
  }
}

function describe({ id, state, edit, ready, left, left_more, is_cut, done, changed }: Job): string {
  const lines = [
    `${id} (${state}): ${describeBulkEdit(edit)}`,
    `${countWorks(ready)} to change, ${left + left_more} left out`,
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
  options: ChangeOptions,
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
  const changes = works.flatMap(({ ark_identifier: ark, changes: all }) =>
    all.map(({ field, before, after }) => [ark, field, shown(before), shown(after), '']),
  )
  const kept = left.map(({ work, reason, message }) => {
    return [work, '', '', '', message === undefined ? reason : `${reason}: ${message}`]
  })
  const rows = [['work', 'field', 'before', 'after', 'left_out'], ...changes, ...kept]
  const lines = [...changes, ...kept].map(([work, field, before, after, reason]) =>
    reason === '' ? `${work} ${field}: ${before} → ${after}` : `${work} left out: ${reason}`,
  )
  const text = options.csv
    ? rows.map(csvRow).join('').trimEnd()
    : printable([...lines, describe(job)].join('\n'))
  print(options, { ...job, works, left_out: left }, text)
}

function shown(value: unknown): string {
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
  throw new UnusableError(`${option} takes two texts: what is replaced, and what replaces it.`)
}

async function selectionOf({ in: file, where }: ChangeOptions) {
  const filter = Object.fromEntries(where.map(assignment)) as BulkFilter
  if (file === undefined) return { filter }
  if (where.length > 0) throw new UnusableError('Give --in or --where, not both.')
  return { works: [...readWorkList(await fs.readFile(file, 'utf8'))] }
}

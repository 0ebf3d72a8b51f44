import type { Command } from 'commander'

import type { FixityOverview } from '#actors/works/fixity/client.ts'
import type { EnvironmentName } from '#actors/registry/environment.ts'
import type { FixityCheck } from '#actors/works/content.ts'
import { readConfig } from '#config/config.ts'
import type { AdminReply } from '#src/http/admin/command_table.ts'
import { calling, withAdminClient } from '#src/cli/admin_client.ts'
import { addCommand, type JsonOption, print, printable } from '#src/cli/program.ts'
import { defineWorkChange } from '#src/cli/work_change.ts'
import { takedownReasons } from '#src/use_cases/takedown.ts'

type ConflictingWork = AdminReply<'/works/conflicts'>['works'][number]

type ConflictOptions = { readonly sandbox: boolean; readonly json: boolean }

type TakedownOptions = JsonOption & { readonly reason: string; readonly note?: string }

type EraseOptions = { readonly withdraw: boolean; readonly json: boolean }

const notes = `
Title, authors, addresses and all else that the versions of the work say are removed: from every
reply, and from the files of the store. Receipts, hashes and proofs stay and verify as before, and
the work's history tells when it was erased. There is no way back. Copies elsewhere are yours to
deal with: backups, snapshots of the file system, and what others have harvested.`

const conflictNotes = `
Citations, formats and pages show the names of author_details. For each author it tells the place,
the name in authors, and the name that is shown. To correct a work, its registrant sends authors and
author_details together. A work tells of 20 authors at most.`

const takedownNotes = `
The reason is one of ${takedownReasons.join(', ')}.
Its tombstone, its history, feeds and the signed statement say that the operator of the registry did
it. Its owner reads the reason and the note. The work is named by its ARK, by the address of its
page, or by its DOI.`

/** Adds `work takedown|erase|conflicts|change`, which work whether or not a server is running. */
export function defineWork(program: Command): void {
  const work = program
    .command('work')
    .description('take down, erase and change works, and find those to correct')
  addCommand(work, 'takedown', 'withdraw a work of anybody, as the operator of the registry')
    .argument('<work>', 'its ARK in any spelling, the address of its page, or its DOI')
    .requiredOption('--reason <word>', 'why, in a word that readers see for ever')
    .option('--note <text>', 'what else readers should know')
    .addHelpText('after', takedownNotes)
    .action(takeDownWork)
  addCommand(work, 'erase', 'erase the metadata of a withdrawn work, for ever')
    .argument('<ark>', 'the work, in any spelling of its ARK')
    .option('--withdraw', 'withdraw the work with it, for the reason "legal"', false)
    .addHelpText('after', notes)
    .action(eraseWork)
  addCommand(work, 'conflicts', 'list works whose authors and author_details name others')
    .option('--sandbox', 'those of the sandbox instead of the live ones', false)
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

const eraseWork = calling(
  '/works/erase',
  (ark: string, { withdraw }: EraseOptions) => ({ ark, withdraw }),
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
    [name, ...rows(describe(overview))].join('\n'),
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
  return printable([`${ark} v${version} ${status}`, ...rows(known), ...checks].join('\n'))
}

function formatCheck({ timestamp, status, message, final_url: url }: FixityCheck): string {
  const parts = [timestamp, status.padEnd('unreachable'.length), message ?? 'in order', url ?? '']
  return `  ${parts.join('  ').trimEnd()}`
}

function rows(facts: readonly (readonly [string, string])[]): string[] {
  return facts.map(([name, value]) => `  ${name.padEnd(14)} ${value}`)
}

const statusNotes = `
Without an ARK it tells how many works there are in each state, how many of them are due, and how
the checks since the start of the server ended. With an ARK it tells what is known of the content of
the work's newest version, and how its last checks ended.`

const recheckNotes = `
The work becomes due now, before all that are re-checked by age; it is checked as soon as its host
has a turn. Without a server the request is kept, and carried out after the next start.`

/** Adds `fixity status|recheck`, which work whether or not a server is running. */
export function defineFixity(program: Command): void {
  const fixity = program.command('fixity').description('watch and steer the checking of content')
  addCommand(fixity, 'status', 'tell how the checking of content is doing, or one work’s')
    .argument('[ark]', 'the work, in any spelling of its ARK')
    .addHelpText('after', statusNotes)
    .action((...given: readonly unknown[]) =>
      given[0] === undefined ? showOverviews(...given) : showFixity(...given),
    )
  addCommand(fixity, 'recheck', 'have the content of a work checked now')
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

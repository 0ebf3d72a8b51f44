import type { EnvironmentName } from '#actors/registry/environment.ts'
import type { FixityOverview } from '#actors/fixity/client.ts'
import { printable } from '#src/cli/verify_text.ts'
import type { FixityReply } from '#src/admin/command_table.ts'
import type { FixityCheck } from '#actors/works/content.ts'

/** How the checking of content is doing in each environment, for people. */
export function formatOverviews(
  overviews: Readonly<Record<EnvironmentName, FixityOverview>>,
): string {
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
export function formatFixity(record: FixityReply): string {
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

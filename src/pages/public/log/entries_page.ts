import { html } from '#src/pages/kit/html.ts'
import type { LoggedStatement } from '#src/use_cases/public_log.ts'
import type { PublicPage } from '#src/pages/kit/public_page.ts'
import { entryTable } from '#src/pages/public/log/entry_list.ts'
import { logPage, type ShownLog } from '#src/pages/public/log/log_site.ts'
import { emptyState, pagination } from '#src/pages/kit/parts.ts'
import { formatNumber } from '#src/pages/kit/words.ts'

/** A page of the entries of a log, newest first. */
export type EntryPage = {
  readonly entries: readonly LoggedStatement[]
  /** The leaf index that the first of them stands before. */
  readonly before: number
}

/** The entries of a log, a page of them. */
export function entriesPage({ entries, before }: EntryPage, log: ShownLog): PublicPage {
  const { treeSize } = log.environment.log.head()
  const oldest = entries.at(-1)?.leafIndex ?? 0
  const title = 'Entries'
  const list = {
    path: `${log.prefix}/log/entries`,
    parameter: 'before',
    next: oldest > 0 ? oldest : null,
    isFirst: before >= treeSize,
  }
  const caption = `${formatNumber(oldest)} to ${formatNumber(before - 1)}, newest first`
  const body =
    entries.length === 0
      ? emptyState('No entries yet', 'The first work that is registered makes the first entry.')
      : html`${entryTable(caption, entries, log)}
${pagination(list)}`
  return logPage({ title, heading: title, body }, log)
}

/** The entries that a text names, where it names several. */
export function foundPage(
  found: {
    readonly asked: string
    readonly what: string
    readonly entries: readonly LoggedStatement[]
  },
  log: ShownLog,
): PublicPage {
  const { asked, what, entries } = found
  const body = html`<p class="lead">What the log has of <code>${what}</code>, in its order.</p>
${entryTable('In the order of the log', entries, log)}`
  return logPage({ title: 'Entries found', heading: 'Entries found', body, asked }, log)
}

/** That nothing was found, and why. */
export function notFoundPage(
  missing: {
    readonly asked: string
    readonly type: 'missing' | 'unknown'
    readonly reason: string
  },
  log: ShownLog,
): PublicPage {
  const { asked, type, reason } = missing
  const heading = type === 'missing' ? 'There is no such entry' : 'That names no entry'
  const elsewhere = log.prefix === '' ? '/sandbox' : ''
  const where = log.prefix === '' ? 'the log of the sandbox' : 'the log of the registry'
  const query = new URLSearchParams({ q: asked })
  const body = html`<p class="lead">${reason}</p>
<p><a href="${elsewhere}/log?${query.toString()}">Look for it in ${where}</a></p>`
  return logPage(
    { title: heading, heading, body, asked, status: type === 'missing' ? 404 : 400 },
    log,
  )
}

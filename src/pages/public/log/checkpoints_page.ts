import { html, type Html, nothing } from '#src/pages/kit/html.ts'
import type { CheckpointList, ListedCheckpoint } from '#src/use_cases/public_log.ts'
import type { PublicPage } from '#src/pages/kit/public_page.ts'
import { logPage, shortHash, type ShownLog } from '#src/pages/public/log/log_site.ts'
import { emptyState, pagination, table, time } from '#src/pages/kit/parts.ts'
import { formatNumber } from '#src/pages/kit/words.ts'

/** The history of checkpoints, a page of it, newest first. */
export function checkpointsPage(
  { checkpoints, next, isFirst }: CheckpointList & { readonly isFirst: boolean },
  log: ShownLog,
): PublicPage {
  const title = 'Checkpoints'
  const list = { path: `${log.prefix}/log/checkpoints`, parameter: 'before', next, isFirst }
  const body =
    checkpoints.length === 0
      ? emptyState('No checkpoints yet', 'The first entry makes the first checkpoint.')
      : html`<p class="lead">Each commit of the log was signed as one checkpoint. Each continues the
one before it, which can be proven of any two of them.</p>
${compareForm(log)}
${checkpointTable(checkpoints, log)}${pagination(list)}
<p class="aside"><a href="${log.prefix}/api/v1/log/checkpoints?order=newest">The signed notes, as
JSON</a></p>`
  return logPage({ title, heading: title, body }, log)
}

function checkpointTable(
  checkpoints: readonly ListedCheckpoint[],
  { prefix, environment }: ShownLog,
): Html {
  const { treeSize: newest } = environment.log.head()
  const rows = table<ListedCheckpoint>(
    'Newest first; each has the time of its newest entry',
    [
      { heading: 'Entries', isRowHeading: true, cell: ({ treeSize }) => formatNumber(treeSize) },
      { heading: 'Added', cell: ({ added }) => formatNumber(added) },
      { heading: 'Newest entry signed', cell: ({ signedAt }) => time(signedAt, 'second') },
      { heading: 'Root', cell: ({ rootHash }) => html`<code>${shortHash(rootHash)}</code>` },
      {
        heading: 'Proof',
        cell: ({ treeSize }) =>
          treeSize === newest
            ? 'newest'
            : html`<a href="${prefix}/log/compare?old=${treeSize}&new=${newest}">Compare with the
newest<span class="unseen">: ${formatNumber(treeSize)} entries</span></a>`,
      },
    ],
    checkpoints,
  )
  return html`<div class="log-table">${rows}</div>`
}

/** Asks which two checkpoints are to be compared. */
export function compareForm({ prefix }: ShownLog, older?: number, newer?: number): Html {
  return html`<form class="compare-form" action="${prefix}/log/compare">
${sizeField('old', 'Older, in entries', older)}
${sizeField('new', 'Newer, in entries', newer)}
<button class="button" type="submit">Compare</button></form>`
}

function sizeField(name: string, label: string, value: number | undefined): Html {
  return html`<p class="field"><label for="size-${name}">${label}</label>
<input id="size-${name}" name="${name}" inputmode="numeric" autocomplete="off" required
${value === undefined ? nothing : html`value="${value}"`}></p>`
}

import { html, type Html } from '#src/pages/kit/html.ts'
import type { LoggedStatement, LogGrowth, LogWitnesses } from '#src/use_cases/public_log.ts'
import type { PublicPage } from '#src/pages/kit/public_page.ts'
import { entryTable } from '#src/pages/public/log/entry_list.ts'
import { compareForm } from '#src/pages/public/log/checkpoints_page.ts'
import { growthFigure } from '#src/pages/public/log/growth_figure.ts'
import { plural, formatNumber } from '#src/pages/kit/words.ts'
import { card, type Fact, facts, time } from '#src/pages/kit/parts.ts'
import {
  checkPart,
  hashCode,
  logPage,
  rawText,
  type ShownLog,
} from '#src/pages/public/log/log_site.ts'

/** What the first page of a log shows beside the log itself. */
export type LogOverview = {
  /** Newest first. */
  readonly newest: readonly LoggedStatement[]
  readonly witnesses: LogWitnesses
  readonly growth: LogGrowth
}

/** The first page of a log: its head, its witnesses, and what came last. */
export function overviewPage(overview: LogOverview, log: ShownLog): PublicPage {
  const { newest, witnesses, growth } = overview
  const size = plural(log.environment.log.head().treeSize, 'entry', 'entries')
  const body = html`<p class="lead">Every statement that this registry has signed, in order. None
can be changed or taken out unseen: each is hashed into the one root that the log signs, and your
browser can check that.</p>
${figures(overview, log)}
${growthFigure(growth)}
<div class="log-columns"><div>
${headPart(log)}
${comparePart(log)}
</div><div>
${checkPart(
  {
    check: 'head',
    button: 'Check the checkpoint',
    proven: `The log has signed this root of ${size}: to sign another of so many would convict it.`,
    text: html`<p>Your browser holds the signatures of the checkpoint on this page against the
published keys. It keeps the checkpoint, and on your next visit it checks that the log continues it,
too.</p>
<p class="kept" hidden><button class="button button-quiet" type="button">Forget the kept
checkpoint</button></p>`,
  },
  log,
)}
${witnessPart(witnesses)}
</div></div>
${newestPart(newest, log)}
${rawPart(log)}`
  return logPage({ title: 'The log', heading: 'The log', body }, log)
}

function figures({ newest, witnesses }: LogOverview, { environment }: ShownLog): Html {
  const { witnessed } = witnesses
  const rows: Fact[] = [
    ['entries', formatNumber(environment.log.head().treeSize)],
    ['newest entry signed', newest[0] && time(newest[0].statement.timestamp, 'second')],
    ['entries that witnesses have seen', witnessed && formatNumber(witnessed.tree_size)],
  ]
  return facts(rows, 'figures')
}

function headPart({ prefix, environment }: ShownLog): Html {
  const { log, origin, vkey } = environment
  const { treeSize, rootHash } = log.head()
  const { checkpoint } = log.newestCheckpoint()
  return card(
    'Its head',
    html`${facts([
      ['Origin', html`<code>${origin}</code>`],
      ['Entries', formatNumber(treeSize)],
      ['Root hash', hashCode(rootHash)],
      ['Verifier key', html`<code class="hash">${vkey}</code>`],
    ])}
<h3>The checkpoint, as it is signed</h3>
${rawText('checkpoint', 'The signed checkpoint', checkpoint)}
<p><a href="${prefix}/log/checkpoint">The same for programs</a></p>`,
  )
}

function comparePart(log: ShownLog): Html {
  const { treeSize } = log.environment.log.head()
  return card(
    'What it was before',
    html`<p>Of any two of its checkpoints a proof shows that the newer log begins with all of the
older one.</p>
${compareForm(log, undefined, treeSize)}
<p><a href="${log.prefix}/log/checkpoints">All checkpoints</a></p>`,
  )
}

function newestPart(newest: readonly LoggedStatement[], log: ShownLog): Html {
  if (newest.length === 0) {
    return html`<section class="empty"><h2>No entries yet</h2>
<p>The first work that is registered makes the first entry.</p></section>`
  }
  return html`<section aria-labelledby="newest"><h2 id="newest">Newest entries</h2>
${entryTable('Newest first', newest, log)}
<p><a href="${log.prefix}/log/entries">All entries</a></p></section>`
}

function witnessPart({ quorum, witnesses, tree_size: size }: LogWitnesses): Html {
  if (witnesses.length === 0) {
    return card(
      'Witnesses',
      html`<p>Nobody else signs the checkpoints of this log. Keep one yourself: with it you can
prove later that the log has only grown.</p>`,
    )
  }
  const items = witnesses.map(
    ({ name, vkey, tree_size: seen, signed_at: at }) => html`<li><h3>${name}</h3>
<p>${
      seen === null || at === null
        ? 'It has not signed yet.'
        : html`Signed ${plural(seen, 'entry', 'entries')}${lag(size - seen)} at
${time(at, 'second')}`
    }</p>
<p><code class="hash">${vkey}</code></p></li>`,
  )
  return card(
    'Witnesses',
    html`<p>Others who sign a checkpoint only if it continues the last one that they signed. It
counts as witnessed with ${quorum}.</p>
<ul class="witnesses">${items}</ul>`,
  )
}

function lag(entries: number): string {
  return entries === 0 ? '' : `, ${formatNumber(entries)} behind`
}

function rawPart({ prefix }: ShownLog): Html {
  const links = [
    [`${prefix}/log/checkpoint`, 'Newest checkpoint'],
    [`${prefix}/log/vkey`, 'Verifier key'],
    [`${prefix}/api/v1/log/checkpoints?order=newest`, 'Checkpoints as JSON'],
    [`${prefix}/api/v1/log/witnesses`, 'Witnesses as JSON'],
    ['/.well-known/svc-keys.json', 'All keys'],
    ['/how-it-works#monitors', 'Run a monitor'],
  ]
  const items = links.map(([path, name]) => html`<li><a href="${path}">${name}</a></li>`)
  return html`<section aria-labelledby="raw"><h2 id="raw">For programs</h2>
<p>The whole log is open: entries and hashes as tiles (C2SP tlog-tiles) below
<code>${prefix}/log/</code>, and proofs as JSON.</p>
<ul class="tags">${items}</ul></section>`
}

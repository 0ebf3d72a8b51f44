import { landingScript, landingStyle } from '#src/pages/kit/assets.ts'
import { html, type Html, nothing } from '#src/pages/kit/html.ts'
import type { Page } from '#src/pages/kit/page.ts'
import { time } from '#src/pages/kit/parts.ts'
import { placeOfWork } from '#src/pages/kit/public_page.ts'
import { usageFigure } from '#src/pages/kit/usage_figure.ts'
import { fixityBadge, typeName } from '#src/pages/kit/words.ts'
import { headTags, tombstoneTags } from '#src/pages/public/landing/head_tags.ts'
import {
  changedNotice,
  elapsedSince,
  fixityTimeline,
  historyList,
  versionList,
} from '#src/pages/public/landing/history.ts'
import {
  arkLine,
  authorList,
  citationBox,
  detailList,
  heading,
  type LandingContext,
  machineLinks,
  notices,
  ownWorkLink,
  receiptPart,
  sourceLink,
} from '#src/pages/public/landing/work_parts.ts'
import type { LandingRecord, TombstoneReply, WorkReply } from '#src/use_cases/landing_record.ts'

/** The scripts of both pages. */
export const landingScripts = [landingScript]

/** The page of a work at its ARK, or that of its tombstone. */
export function landingPage(record: LandingRecord, context: LandingContext): Page {
  const { work } = record
  if (work.status === 'withdrawn') return tombstonePage(record, work, context)
  const versionPath = `/${work.ark}/v${work.version}`
  const isPinned = context.url.endsWith(versionPath)
  return {
    title: work.metadata.work_title,
    head: headTags(record, work, context),
    styles: [landingStyle],
    scripts: landingScripts,
    wide: true,
    body: html`${notices(record)}${changedNotice(work, record.fixity)}
<article class="work">
<header class="work-head">
<p class="eyebrow">${eyebrow(work)}</p>
${heading(work.metadata.work_title)}
${authorList(work)}
${ownWorkLink(context.claimUrl)}
${arkLine(context.url, isPinned ? undefined : versionPath)}
${proofLine(work, context)}
${contentButton(work)}
${isPinned ? nothing : placeOfWork(work.ark)}
</header>
<div class="work-columns">
<div class="work-main">
${abstractPart(work)}
${detailList(work)}
${citationBox(context.citation)}
${versionList(record)}
${historyList(record)}
${usagePart(work, context)}
</div>
<div class="work-proof">
<div id="fixity">${fixityTimeline(work, record.fixity, context.nowMs)}</div>
<div id="receipt">${receiptPart(record, context)}</div>
${machineLinks(context.machineLinks)}
</div>
</div>
</article>`,
  }
}

function eyebrow({ metadata, version }: WorkReply): Html {
  const date = metadata.published_date
  const published = date === undefined ? '' : html` · <time>${date}</time>`
  return html`${typeName(metadata.work_type)}${published} · Version ${version}`
}

/** What is proven, at a glance: the parts below say it in full. */
function proofLine(work: WorkReply, { nowMs }: LandingContext): Html {
  const { fixity_status: status, checked_at: at } = work.content
  const ago = at === null ? '' : html` <span class="hint">checked ${elapsedSince(at, nowMs)}</span>`
  return html`<p class="proof-line"><a href="#fixity">${fixityBadge(status)}</a>${ago}
<a href="#receipt">Receipt</a>
<span class="hint">registered on ${time(work.registered_at)}</span></p>`
}

function usagePart({ ark }: WorkReply, { usage }: LandingContext): Html {
  if (usage === undefined) return nothing
  return usageFigure(usage, { of: 'it is used', href: `/v1/works/${ark}/usage` })
}

// Stored addresses are http or https already; a page checks again, because it makes links of them.
function contentButton({ content: { url } }: WorkReply): Html {
  if (!/^https?:\/\//.test(url)) return nothing
  return html`<p class="open-content"><a class="button" href="${url}" rel="noreferrer">Open the
content</a> <span class="hint">at ${new URL(url).host}, which is not part of this
registry</span></p>`
}

function abstractPart({ metadata: { description } }: WorkReply): Html {
  if (description === undefined) return html`<p class="aside">There is no abstract.</p>`
  return html`<section class="abstract"><h2>Abstract</h2>
<p class="running-text" dir="auto">${description}</p></section>`
}

const reasons: Readonly<Record<string, string>> = {
  author_request: 'at the request of its authors',
  retraction: 'because it was retracted: its findings are not to be relied on',
  duplicate: 'because it is registered elsewhere, too',
  copyright: 'because of rights that others have in it',
  fraud: 'because of fraud',
  legal: 'for legal reasons',
  test: 'because it was a test',
  other: 'for a reason that has no name here',
  data_lost: 'because the registry has lost what was registered',
}

/** What stands at the ARK of a withdrawn work: why it is gone, and what is still true of it. */
function tombstonePage(record: LandingRecord, work: TombstoneReply, context: LandingContext): Page {
  const isLost = work.lost_at !== undefined
  const title = work.work_title ?? (isLost ? 'Metadata lost' : 'Metadata erased')
  const kind = work.work_type === undefined ? '' : `${typeName(work.work_type)} · `
  const { url } = context
  return {
    title: `Withdrawn: ${title}`,
    status: 410,
    head: tombstoneTags(context),
    styles: [landingStyle],
    scripts: landingScripts,
    wide: true,
    body: html`${notices(record)}
<article class="work">
<header class="work-head">
<p class="eyebrow">${kind}Withdrawn</p>
${heading(title)}
${authorList(work)}
${arkLine(url, undefined)}
</header>
${withdrawalBox(work)}
<div class="work-columns">
<div class="work-main">${historyList(record)}</div>
<div class="work-proof">
${receiptPart(record, context)}
${machineLinks(context.machineLinks)}
</div>
</div>
</article>`,
  }
}

function withdrawalBox({
  reason,
  note,
  replaced_by,
  withdrawn_at,
  erased_at,
  source,
}: TombstoneReply): Html {
  const why = reasons[reason] ?? reason
  const by = source === undefined ? '' : html` by ${sourceLink(source)}`
  const words = note === undefined || note === null ? '' : html`<p dir="auto">${note}</p>`
  const instead =
    replaced_by === undefined || replaced_by === null
      ? ''
      : html`<p>Use this work instead: <a href="/${replaced_by}">${replaced_by}</a>.</p>`
  const erased =
    erased_at === undefined
      ? ''
      : html`<p>What the registry said of it was erased on ${time(erased_at)}. The hashes stay, and
with them the proof of what was registered.</p>`
  return html`<div class="flash flash-error" role="note">
<p><strong>This work was withdrawn</strong> on ${time(withdrawn_at)}${by}, ${why}.</p>
${words}${instead}${erased}
<p>Its ARK is never given to another work, and its receipts stay good.</p>
</div>`
}

import { html, type Html, nothing } from '#src/pages/kit/html.ts'
import { landingScript, landingStyle } from '#src/pages/kit/assets.ts'
import {
  arkLine,
  citationBox,
  heading,
  machineLinks,
  notices,
} from '#src/pages/public/landing/work_parts.ts'
import { authorList, ownWorkLink } from '#src/pages/public/landing/author_list.ts'
import { detailList } from '#src/pages/public/landing/detail_list.ts'
import {
  changedNotice,
  elapsedSince,
  fixityTimeline,
} from '#src/pages/public/landing/fixity_timeline.ts'
import { headTags } from '#src/pages/public/landing/head_tags.ts'
import { historyList, versionList } from '#src/pages/public/landing/history.ts'
import type { LandingContext } from '#src/pages/public/landing/landing_context.ts'
import type { LandingRecord, WorkReply } from '#src/use_cases/landing_record.ts'
import { receiptPart } from '#src/pages/public/landing/receipt_part.ts'
import { placeOfWork } from '#src/pages/kit/personal_page.ts'
import { tombstonePage } from '#src/pages/public/landing/tombstone_page.ts'
import type { Page } from '#src/pages/kit/page.ts'
import { time } from '#src/pages/kit/parts.ts'
import { usageFigure } from '#src/pages/kit/usage_figure.ts'
import { fixityBadge, typeName } from '#src/pages/kit/words.ts'

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
    scripts: [landingScript],
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

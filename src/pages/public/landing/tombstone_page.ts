import { type Html, html, joinHtml } from '#src/pages/kit/html.ts'
import { landingScript, landingStyle } from '#src/pages/kit/assets.ts'
import {
  arkLine,
  heading,
  machineLinks,
  notices,
  sourceLink,
} from '#src/pages/public/landing/work_parts.ts'
import { authorList } from '#src/pages/public/landing/author_list.ts'
import { canonicalLink, noIndex } from '#src/pages/public/landing/head_tags.ts'
import { historyList } from '#src/pages/public/landing/history.ts'
import type { LandingContext } from '#src/pages/public/landing/landing_context.ts'
import type { LandingRecord, TombstoneReply } from '#src/use_cases/landing_record.ts'
import { receiptPart } from '#src/pages/public/landing/receipt_part.ts'
import type { Page } from '#src/pages/kit/page.ts'
import { time } from '#src/pages/kit/parts.ts'
import { typeName } from '#src/pages/kit/words.ts'

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
export function tombstonePage(
  record: LandingRecord,
  work: TombstoneReply,
  context: LandingContext,
): Page {
  const isLost = work.lost_at !== undefined
  const title = work.work_title ?? (isLost ? 'Metadata lost' : 'Metadata erased')
  const kind = work.work_type === undefined ? '' : `${typeName(work.work_type)} · `
  const { url } = context
  return {
    title: `Withdrawn: ${title}`,
    status: 410,
    head: joinHtml([noIndex, canonicalLink(url), context.linkElements], '\n'),
    styles: [landingStyle],
    scripts: [landingScript],
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

import { html } from 'ghtml'

import type { LandingRecord } from '#src/api/landing_record.ts'
import type { Html } from '#src/web/kit/page.ts'

/** What somebody must know before they cite: that it is a trial, or not the newest version. */
export function notices({ work, environment }: LandingRecord): Html {
  return `${environment === 'sandbox' ? sandboxNotice : ''}${
    work.status === 'registered' && !work.is_latest ? olderNotice(work) : ''
  }`
}

const sandboxNotice = html`<div class="flash flash-warning" role="note"><p><strong>Sandbox, not for
citation.</strong> This record is a trial. Its ARK is nobody’s promise.</p></div>`

function olderNotice(work: { ark: string; version: number; latest_version: number }): Html {
  return html`<div class="flash flash-warning" role="note"><p><strong>A newer version
exists.</strong> This is version ${work.version}. <a href="/${work.ark}">Read version
${work.latest_version}, the newest</a>.</p></div>`
}

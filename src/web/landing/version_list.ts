import { html } from 'ghtml'

import { nameFields } from '#src/web/landing/field_names.ts'
import type { LandingRecord, ShownVersion } from '#src/web/landing/landing_record.ts'
import { sourceLink } from '#src/web/landing/source_link.ts'
import type { Html } from '#src/web/page.ts'
import { badge, card, time } from '#src/web/parts.ts'

/** The versions of a work, newest first: when, by whom, what changed, and why. */
export function versionList(record: LandingRecord): Html {
  const { work, versions, versionsTotal } = record
  const items = versions.map((version) => versionItem(version, work))
  const older = versionsTotal - versions.length
  const rest =
    older <= 0
      ? ''
      : html`<p><a href="${work.links['versions']}">${older} older
${older === 1 ? 'version' : 'versions'}, as JSON</a> (with a key), or at
<code>/${work.ark}/v1</code> and so on.</p>`
  return card('Versions', html`<ol class="versions" reversed>!${items}</ol>!${rest}`)
}

function versionItem(version: ShownVersion, work: LandingRecord['work']): Html {
  const { version: number, created_at, version_note: note, source } = version
  const isThis = work.status === 'registered' && number === work.version
  const name = html`Version ${number}`
  const title = isThis
    ? html`<strong>!${name}</strong> !${badge('this page')}`
    : html`<a href="/${work.ark}/v${number}">!${name}</a>`
  return html`<li value="${number}"${isThis ? ' aria-current="true"' : ''}>
<p>!${title} !${time(created_at)}, !${sourceLink(source)}</p>
<p class="hint">${whatChanged(version)}</p>
!${note === undefined ? '' : html`<p class="note" dir="auto">${note}</p>`}
</li>`
}

function whatChanged({ kind, changed_fields: fields }: ShownVersion): string {
  if (kind === 'registered') return 'Registered.'
  const changed = nameFields(fields)
  return kind === 'versioned' ? `A new version: changed ${changed}.` : `Changed ${changed}.`
}

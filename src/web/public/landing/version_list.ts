import { html } from 'ghtml'

import { nameFields } from '#src/web/public/landing/field_names.ts'
import { foldedList } from '#src/web/public/landing/folded_list.ts'
import type { LandingRecord, VersionReply } from '#src/api/landing_record.ts'
import { sourceLink } from '#src/web/public/landing/source_link.ts'
import type { Html } from '#src/web/kit/page.ts'
import { badge, card, time } from '#src/web/kit/parts.ts'
import { counted } from '#src/web/kit/work_words.ts'

/** Versions that are shown at once; around one that is not the newest, all are. */
const openVersionsMax = 5

/** The versions of a work, newest first: when, by whom, what changed, and why. */
export function versionList(record: LandingRecord): Html {
  const { work, versions, versionsTotal } = record
  const newer = versionsTotal - (versions[0]?.version ?? versionsTotal)
  const older = (versions.at(-1)?.version ?? 1) - 1
  const isNewest = work.version === versionsTotal
  const list = foldedList({
    items: versions.map((version) => versionItem(version, work)),
    openMax: isNewest ? openVersionsMax : versions.length,
    kind: 'versions',
    more: (count) => counted(count, 'earlier version'),
  })
  return card(
    'Versions',
    html`!${
      newer === 0
        ? ''
        : html`<p>${counted(newer, 'newer version')}, up to
<a href="/${work.ark}">the newest</a></p>`
    }
!${list}
!${
      older === 0
        ? ''
        : html`<p>${counted(older, 'older version')}, from
<a href="/${work.ark}/v${older}">version ${older}</a> down</p>`
    }`,
  )
}

function versionItem(version: VersionReply, work: LandingRecord['work']): Html {
  const { version: number, created_at, version_note: note, source } = version
  const isThis = work.status === 'registered' && number === work.version
  const name = html`Version ${number}`
  const title = isThis
    ? html`<strong>!${name}</strong> !${badge('this page')}`
    : html`<a href="/${work.ark}/v${number}">!${name}</a>`
  return html`<li class="${isThis ? 'this-version' : ''}">
<p>!${title} !${time(created_at)}, !${sourceLink(source)}</p>
<p class="hint">${whatChanged(version)}</p>
!${note === undefined ? '' : html`<p class="note" dir="auto">${note}</p>`}
</li>`
}

function whatChanged({ kind, changed_fields: fields }: VersionReply): string {
  if (kind === 'registered') return 'Registered.'
  const changed = nameFields(fields)
  return kind === 'versioned' ? `A new version: changed ${changed}.` : `Changed ${changed}.`
}

import { html } from 'ghtml'

import { foldedList } from '#src/web/public/landing/folded_list.ts'
import { nameFields } from '#src/web/public/landing/field_names.ts'
import type { LandingRecord, EventReply } from '#src/api/landing_record.ts'
import { sourceLink } from '#src/web/public/landing/source_link.ts'
import type { Html } from '#src/web/kit/page.ts'
import { card, time } from '#src/web/kit/parts.ts'
import { counted } from '#src/web/kit/work_words.ts'

/** Events that are shown at once. */
const openEventsMax = 5

/** Who registered a work, and who wrote what since, newest first. */
export function historyList({ work, owner, events, hasOlder }: LandingRecord): Html {
  const list = foldedList({
    items: events.map(eventItem),
    openMax: openEventsMax,
    kind: 'history',
    more: (count) => counted(count, 'earlier change'),
  })
  const history = new URL(work.links['history'] ?? '').pathname
  return card(
    'Who wrote what',
    html`<p>Registered on !${time(work.created_at)} by !${sourceLink(owner)}. Every change
stays in the history.</p>
!${list}
<p><a href="${history}">${hasOlder ? 'The whole history' : 'The history'} as JSON</a></p>`,
  )
}

function eventItem(event: EventReply): Html {
  const message = event.message ?? undefined
  const why = message === undefined ? '' : html`<p class="hint">${message}</p>`
  return html`<li>!${time(event.at)} ${whatHappened(event)}, by !${writer(event)}!${why}</li>`
}

function writer({ by, type }: EventReply): Html {
  if (type === 'work.fixity_changed') return html`this registry, by itself`
  return sourceLink({ type: by.type, id: by.organization ?? by.name, name: by.name })
}

function whatHappened(event: EventReply): string {
  const { type, version, changed_fields: fields, fixity_status: fixity } = event
  switch (type) {
    case 'work.registered':
      return 'Registered'
    case 'work.versioned':
      return `Version ${version}: changed ${nameFields(fields)}`
    case 'work.fixity_changed':
      return `Content ${contentStates[fixity ?? ''] ?? 'checked'}`
    case 'work.withdrawn':
      return 'Withdrawn'
    case 'work.erased':
      return 'Metadata erased'
    default:
      return type
  }
}

const contentStates: Readonly<Record<string, string>> = {
  verified: 'found as registered',
  failed: 'found changed',
  unreachable: 'not confirmed',
}

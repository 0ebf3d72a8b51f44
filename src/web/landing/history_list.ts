import { html } from 'ghtml'

import { nameFields } from '#src/web/landing/field_names.ts'
import type { LandingRecord, ShownEvent } from '#src/web/landing/landing_record.ts'
import { sourceLink } from '#src/web/landing/source_link.ts'
import type { Html } from '#src/web/page.ts'
import { card, time } from '#src/web/parts.ts'

/** Who registered a work, and who wrote what since, newest first. */
export function historyList({ work, owner, events, hasOlder }: LandingRecord): Html {
  const items = events.map(
    (event) => html`<li>!${time(event.at)} ${whatHappened(event)}, by !${writer(event)}</li>`,
  )
  const history = new URL(work.links['history'] ?? '').pathname
  return card(
    'Who wrote what',
    html`<p>Registered on !${time(work.created_at)} by !${sourceLink(owner)}, who alone may change
it. Every change stays in the history.</p>
<ol class="history">!${items}</ol>
<p><a href="${history}">${hasOlder ? 'The whole history' : 'The history'} as JSON</a></p>`,
  )
}

function writer({ by, type }: ShownEvent): Html {
  if (type === 'work.fixity_changed') return html`this registry, by itself`
  return sourceLink({ type: by.type, id: by.organization ?? by.name, name: by.name })
}

function whatHappened(event: ShownEvent): string {
  const { type, version, changed_fields: fields, fixity_status: fixity, message } = event
  const why = message === undefined || message === null ? '' : ` (${message})`
  switch (type) {
    case 'work.registered':
      return 'Registered'
    case 'work.versioned':
      return `Version ${version}: changed ${nameFields(fields)}`
    case 'work.fixity_changed':
      return `Content ${contentStates[fixity ?? ''] ?? 'checked'}${why}`
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

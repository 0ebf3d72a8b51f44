import type { EnvironmentName } from '#actors/registry/environment.ts'
import type { Application } from '#src/identity/oauth/application_record.ts'
import { type Endpoint, hearsAs } from '#src/delivery/webhooks/endpoint.ts'
import { type EventKind, kindsFor, usualKinds } from '#src/delivery/webhooks/event.ts'
import { type FormBody, textOf } from '#src/pages/kit/form_body.ts'
import { checkbox, field, form, type FormState, hiddenField } from '#src/pages/kit/form_field.ts'
import { html, type Html } from '#src/pages/kit/html.ts'
import { card } from '#src/pages/kit/parts.ts'

/** The kinds of events in the words of the pages. */
const kindWords: Readonly<Record<EventKind, string>> = {
  'work.created': 'A work is registered',
  'work.updated': 'What is said of a work is changed',
  'work.version_added': 'A version is added',
  'work.withdrawn': 'A work is withdrawn',
  'work.fixity_changed': 'The content of a work is found stable, changed or unreachable',
  'affiliation.added': 'An affiliation is added',
  'profile.updated': 'A person changes their profile',
  'claim.requested': 'Somebody claims to be an author',
  'claim.verified': 'A claim is verified',
  'permission.revoked': 'A person’s permission ends',
  'log.checkpoint': 'The log has a new checkpoint (once a minute at most)',
}

/** What a form says of a webhook, as JSON would. */
export function draftOfForm(body: FormBody): Readonly<Record<string, unknown>> {
  const description = textOf(body, 'description').trim()
  const events = (Object.keys(kindWords) as EventKind[]).filter((kind) => body.has(kind))
  return {
    url: textOf(body, 'url').trim(),
    ...(description !== '' && { description }),
    events,
  }
}

/** The form as it stands before anybody changes a webhook. */
export function stateOfWebhook({ url, description = '', events }: Endpoint): FormState {
  const ticked = events.map((kind) => [kind, 'on'] as const)
  return { values: new Map([['url', url], ['description', description], ...ticked]), faults: [] }
}

/** The fields of a webhook that hears as an organization, or as an application. */
export function webhookFields(
  state: FormState,
  owner: 'organization' | 'application',
): readonly Html[] {
  const usual = usualKinds(owner)
  const boxes = kindsFor(owner).map((kind) =>
    checkbox(
      { name: kind, label: kindWords[kind], hint: kind, checked: usual.includes(kind) },
      state,
    ),
  )
  const wrong = state.faults.find(({ field: name }) => name === 'events')
  return [
    field(
      {
        name: 'url',
        label: 'Address',
        hint: 'Where messages are posted: https, and reachable from the internet.',
        type: 'url',
        required: true,
      },
      state,
    ),
    field(
      { name: 'description', label: 'Name', hint: 'What it is for, in a line.', maxLength: 200 },
      state,
    ),
    html`<fieldset id="field-events"><legend>Tells when</legend>
${wrong === undefined ? '' : html`<p class="fault">Tick one at least.</p>`}
${boxes}</fieldset>`,
  ]
}

/** The card in which a webhook is made, of an application if one is given. */
export function newWebhookCard(
  state: FormState,
  {
    path,
    csrf,
    environment,
    application,
  }: {
    readonly path: string
    readonly csrf: string
    readonly environment: EnvironmentName
    readonly application: Pick<Application, 'client_id' | 'name'> | undefined
  },
): Html {
  const owner = hearsAs(application === undefined ? {} : { application: application.client_id })
  const fields = html`${hiddenField('environment', environment)}
${application === undefined ? '' : hiddenField('application', application.client_id)}
${webhookFields(state, owner)}`
  const title = environment === 'live' ? 'Make a webhook' : 'Make a webhook of the sandbox'
  return card(title, form({ action: path, csrf, fields, submit: 'Make it' }))
}

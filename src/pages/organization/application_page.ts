import type { Application } from '#src/identity/oauth/application_record.ts'
import type { ApplicationUse } from '#src/identity/oauth/grants.ts'
import { findOAuthScope } from '#src/identity/oauth/oauth_scopes.ts'
import { copyScript } from '#src/pages/kit/assets.ts'
import { form, type FormState } from '#src/pages/kit/form_field.ts'
import { html, type Html } from '#src/pages/kit/html.ts'
import type { AccountPage } from '#src/pages/kit/account_frame.ts'
import { badge, buttonLink, card, facts, quietLink, secretBox, time } from '#src/pages/kit/parts.ts'
import { snippet } from '#src/pages/kit/snippet.ts'
import { applicationFields } from '#src/pages/organization/application_form.ts'

/** One application, as its page shows it to whom may manage it. */
export type ShownApplication = {
  readonly application: Application
  readonly isTest: boolean
  /** The secret, where the page shows it now. */
  readonly secret: string | undefined
  readonly use: ApplicationUse
  readonly state: FormState
  readonly csrf: string
  /** The full path of the page, and of the list. */
  readonly path: string
  readonly list: string
  /** The full path of the webhooks of its organization. */
  readonly webhooks: string
  readonly baseUrl: string
}

const stateBadges = {
  unverified: ['not verified', 'waiting'],
  approved: ['verified', 'good'],
  revoked: ['ended', 'plain'],
} as const

/** The state of an application in a word. */
export function applicationBadge({ state }: Application): Html {
  const [word, look] = stateBadges[state]
  return badge(word, look)
}

/** What is told of an application wherever it is shown. */
export function applicationFacts(application: Application, isTest: boolean): Html {
  const { client_id, kind, redirect_uris, scopes, created_at } = application
  const { post_logout_redirect_uris: afterLogout = redirect_uris } = application
  const listOf = (uris: readonly string[]) =>
    html`<ul>${uris.map((uri) => html`<li><code>${uri}</code></li>`)}</ul>`
  return facts([
    ['Client ID', html`<code>${client_id}</code>`],
    ['Registry', isTest ? 'sandbox' : 'live'],
    ['Secret', kind === 'confidential' ? 'it has one' : 'none: it must use PKCE'],
    ['Sends back to', listOf(redirect_uris)],
    ['After a sign-out', listOf(afterLogout)],
    ['May ask for', scopes.join(', ')],
    ['Registered', time(created_at)],
  ])
}

/** The content of the page: the secret if it is new, use, and what can be changed. */
export function applicationContent(
  shown: ShownApplication,
): Pick<AccountPage, 'content' | 'scripts'> {
  const { application, isTest, secret, list } = shown
  const isOver = application.state === 'revoked'
  return {
    scripts: [copyScript],
    content: html`${secret === undefined ? '' : secretBox('Client secret', secret)}
<p>${applicationBadge(application)}</p>
${applicationFacts(application, isTest)}
${secret === undefined ? '' : variables(shown, secret)}
${useCard(shown)}
${isOver ? '' : webhooksCard(shown)}
${isOver ? '' : changeCard(shown)}
<div class="buttons">${buttonLink(list, 'All applications')}
${isOver ? '' : quietLink(`${shown.path}/revoke`, 'End it…')}</div>`,
  }
}

function variables({ application, baseUrl }: ShownApplication, secret: string): Html {
  const { client_id, redirect_uris } = application
  const lines = [
    `BASE_URL=${baseUrl}`,
    `CLIENT_ID=${client_id}`,
    `CLIENT_SECRET=${secret}`,
    `REDIRECT=${redirect_uris[0] ?? ''}`,
  ]
  return html`<h2>Try it</h2><p>The <a href="${baseUrl}/docs/oauth#ask">tutorial</a> goes on from
these lines:</p>
${snippet('Variables of the tutorial', lines.join('\n'))}`
}

function useCard({ use, application, csrf, path }: ShownApplication): Html {
  const { people, isExact, usedRecently, lastUsed, scopes } = use
  const amount = (count: number) => `${count.toLocaleString('en')}${isExact ? '' : ' and more'}`
  const lines = [...scopes].map(([name, count]) => {
    const meaning = findOAuthScope(name)?.meaning ?? name
    return html`<li>${meaning}: ${amount(count)}</li>`
  })
  const isOver = application.state === 'revoked'
  const end = form({
    action: `${path}/permissions/end`,
    csrf,
    fields: html`<p>This ends every permission and all tokens at once. The application stays, and
can ask again.</p>`,
    submit: 'End all permissions',
    danger: true,
  })
  const secret = form({
    action: `${path}/secret`,
    csrf,
    submit: 'Replace the secret',
    inline: true,
  })
  const hasSecret = application.kind === 'confidential' && !isOver
  return card(
    'Permissions and tokens',
    html`${facts([
      ['People who permit it', amount(people)],
      ['Permissions used in 30 days', amount(usedRecently)],
      ['Last used', lastUsed === null ? 'never' : time(lastUsed)],
      ['To', lines.length === 0 ? undefined : html`<ul>${lines}</ul>`],
    ])}
${hasSecret ? html`<p>${secret}</p><p class="hint">The old one works for a day.</p>` : ''}
${people > 0 && !isOver ? end : ''}`,
  )
}

function webhooksCard({ application, webhooks, isTest }: ShownApplication): Html {
  const query = new URLSearchParams({
    ...(isTest && { environment: 'sandbox' }),
    application: application.client_id,
  })
  return card(
    'Webhooks',
    html`<p>It can hear by signed messages of what people permit it to read, and when a permission
ends.</p>
<div class="buttons">${quietLink(`${webhooks}?${query}`, 'Webhooks of the application…')}</div>`,
  )
}

function changeCard({ state, csrf, path, application }: ShownApplication): Html {
  const again =
    application.state === 'approved'
      ? html`<p class="hint">With another name, home page or address, or if it asks for more, people
are warned again until an administrator has looked at it.</p>`
      : ''
  const fields = html`${again}${applicationFields(state)}`
  return card('Change it', form({ action: path, csrf, fields, submit: 'Save' }))
}

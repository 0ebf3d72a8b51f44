import type { Page } from 'playwright-core'

import { adminPages } from '#test/browser/_admin_pages.ts'
import { readerPages } from '#test/browser/_reader_pages.ts'
import type { Opening, ShownPage } from '#test/browser/_shown_page.ts'
import { citations } from '#test/browser/_works.ts'
import { webhookPages } from '#test/browser/_webhook_pages.ts'
import { allScopes, people, type World } from '#test/browser/_world.ts'

/** The address of a page below the prefix. */
export function addressOf({ server }: Pick<World, 'server'>, path: string): string {
  return `${server.started.base_url}/auth${path}`
}

function at(path: string): Opening {
  return (window, world) => window.goto(addressOf(world, path))
}

/** Follows the first link of a page to an address of this form. */
function follow(path: string, link: string): Opening {
  return async (window, world) => {
    await at(path)(window, world)
    await window.locator(`main a[href*="${link}"]`).first().click()
  }
}

/** Fills in fields of a page by their names, and pushes a button. */
function send(path: string, fields: Readonly<Record<string, string>>, button: string): Opening {
  return async (window, world) => {
    await at(path)(window, world)
    await fill(window, fields)
    await pushButton(window, button)
  }
}

/** Fills in fields by their names; a box is ticked by `on`. */
export async function fill(window: Page, fields: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, value] of Object.entries(fields)) {
    const field = window.locator(`main [name="${name}"]`)
    const tag = await field.evaluate((element) => element.getAttribute('type') ?? element.tagName)
    if (tag === 'checkbox') await field.setChecked(value === 'on')
    else if (tag === 'SELECT') await field.selectOption(value)
    else await field.fill(value)
  }
}

/** Pushes the first button of a page with this name, and waits for what comes. */
export async function pushButton(window: Page, name: string): Promise<void> {
  await window.locator('main').getByRole('button', { name, exact: true }).first().click()
}

const press = '/organizations/press'

const work = {
  work_title: 'Notes by the Translator',
  work_type: 'article',
  authors: 'Ada Lovelace (0000-0002-1825-0097)',
  work_url: 'https://press.example/works/2',
  description: 'Note G computes the numbers of Bernoulli.',
}

const visitorPages: readonly ShownPage[] = [
  { route: '/sign-in', as: 'nobody', open: at('/sign-in') },
  {
    route: '/sign-in',
    name: 'refused',
    as: 'nobody',
    open: send('/sign-in', { email: 'ada@example.org', password: 'wrong' }, 'Sign in'),
  },
  { route: '/sandbox/sign-in', as: 'nobody', open: at('/sandbox/sign-in') },
  {
    route: '/sandbox/account',
    as: 'ada',
    open: async (window, world) => {
      const { email, password } = world.testPerson
      await send('/sandbox/sign-in', { email, password }, 'Sign in')(window, world)
      await window.waitForURL('**/sandbox/account')
    },
  },
  { route: '/login/:id', as: 'nobody', open: at('/login/university') },
  {
    route: '/login/:id/callback',
    as: 'nobody',
    open: at('/login/university/callback?error=access_denied'),
  },
  { route: '/sign-up', as: 'nobody', open: at('/sign-up') },
  {
    route: '/sign-up',
    name: 'refused',
    as: 'nobody',
    open: send('/sign-up', { email: 'nobody', password: 'short' }, 'Create account'),
  },
  { route: '/setup', as: 'nobody', open: at('/setup') },
  {
    route: '/setup/:token',
    as: 'nobody',
    open: (window, { setupUrl }) => window.goto(setupUrl),
  },
  { route: '/setup/:token', name: 'over', as: 'nobody', open: at('/setup/once_0') },
  { route: '/reset', as: 'nobody', open: at('/reset') },
  {
    route: '/reset',
    name: 'sent',
    as: 'nobody',
    open: send('/reset', { email: people.bo.email }, 'Send me a link'),
  },
  {
    route: '/reset/:token',
    as: 'nobody',
    async open(window, world) {
      await send('/reset', { email: people.ada.email }, 'Send me a link')(window, world)
      await window.goto(await world.mailbox.link('reset', people.ada.email))
    },
  },
  { route: '/unlock/:token', name: 'over', as: 'nobody', open: at('/unlock/once_0') },
  {
    route: '/verify/:token',
    as: 'nobody',
    open: async (window, { mailbox }) => window.goto(await mailbox.link('verify', people.bo.email)),
  },
  { route: '/account-deleted', as: 'nobody', open: at('/account-deleted') },
  { route: '/*', as: 'nobody', open: at('/nothing-here') },
]

const accountPages: readonly ShownPage[] = [
  { route: '', as: 'ada', open: at('') },
  { route: '/account', as: 'ada', open: at('/account') },
  { route: '/account', name: 'new', as: 'bo', open: at('/account?done=welcome') },
  {
    route: '/account',
    name: 'refused',
    as: 'ada',
    open: send('/account', { username: 'Ada!', name: '' }, 'Save profile'),
  },
  ...['affiliations', 'education'].flatMap((list): ShownPage[] => [
    { route: `/account/${list}/new`, as: 'ada', open: at(`/account/${list}/new`) },
    {
      route: `/account/${list}/:id`,
      as: 'ada',
      open: follow('/account', `/account/${list}/`),
    },
    {
      route: `/account/${list}/:id/delete`,
      as: 'ada',
      async open(window, world) {
        await follow('/account', `/account/${list}/`)(window, world)
        await window.getByRole('link', { name: 'Delete…' }).click()
      },
    },
  ]),
  {
    route: '/account/affiliations/:id',
    name: 'of the press',
    as: 'ada',
    async open(window, world) {
      await at('/account')(window, world)
      await window.getByRole('link', { name: /Fellow, Mathematics/ }).click()
    },
  },
  { route: '/account/works', as: 'ada', open: at('/account/works') },
  { route: '/account/works', name: 'empty', as: 'bo', open: at('/account/works') },
  {
    route: '/account/works/:claim_id',
    as: 'ada',
    open: follow('/account/works', '/account/works/claim_'),
  },
  ...['find', 'claim', 'claim?ark=none'].map((page): ShownPage => {
    const [route] = page.split('?')
    return {
      route: `/account/works/${route}`,
      name: page,
      as: 'bo',
      open: at(`/account/works/${page}`),
    }
  }),
  {
    route: '/account/works/:claim_id/disclaim',
    as: 'ada',
    async open(window, world) {
      await follow('/account/works', '/account/works/claim_')(window, world)
      await window.getByRole('link', { name: 'This work is not mine…' }).click()
    },
  },
  { route: '/account/writes', as: 'ada', open: at('/account/writes') },
  { route: '/account/writes', name: 'empty', as: 'bo', open: at('/account/writes') },
  { route: '/account/applications', as: 'ada', open: at('/account/applications') },
  { route: '/account/applications', name: 'empty', as: 'bo', open: at('/account/applications') },
  { route: '/account/keys', as: 'ada', open: at('/account/keys') },
  { route: '/account/sandbox', as: 'ada', open: at('/account/sandbox') },
  {
    route: '/account/sandbox/:id',
    as: 'ada',
    open: send('/account/sandbox', {}, 'Make the key'),
  },
  {
    route: '/account/sandbox/:id/revoke',
    as: 'ada',
    open: follow('/account/sandbox', '/revoke'),
  },
  { route: '/account/keys', name: 'preset', as: 'ada', open: at('/account/keys?preset=deposit') },
  {
    route: '/account/keys',
    name: 'refused',
    as: 'bo',
    open: send('/account/keys', { days: '9999', ip_allow: 'here' }, 'Make the key'),
  },
  {
    route: '/account/keys/:id',
    name: 'shown once',
    as: 'bo',
    open: send('/account/keys', { label: 'Notebook', mint: 'on' }, 'Make the key'),
  },
  {
    route: '/account/keys/:id/rotate',
    as: 'ada',
    open: send('/account/keys', {}, 'Replace it by a new one'),
  },
  {
    route: '/account/keys/:id/revoke',
    as: 'ada',
    open: follow('/account/keys', '/revoke'),
  },
  { route: '/account/security', as: 'ada', open: at('/account/security') },
  { route: '/account/second-step', as: 'ada', open: at('/account/second-step') },
  { route: '/account/confirm', as: 'ada', open: at('/account/confirm') },
  {
    route: '/account/second-step',
    name: 'begun',
    as: 'bo',
    open: send('/account/second-step', { current_password: people.bo.password }, 'Set it up'),
  },
  { route: '/account/access', as: 'ada', open: at('/account/access') },
  {
    route: '/account/security',
    name: 'refused',
    as: 'bo',
    open: send(
      '/account/security',
      { current_password: 'wrong', new_password: 'short' },
      'Save password',
    ),
  },
  { route: '/account/email', as: 'ada', open: at('/account/email') },
  { route: '/account/audit', as: 'ada', open: at('/account/audit') },
  { route: '/account/delete', as: 'ada', open: at('/account/delete') },
  { route: '/sign-out', as: 'ada', open: at('/sign-out') },
]

/** Pages that the identity provider sends people to. */
const providerPages: readonly ShownPage[] = [
  {
    route: '/interaction/:uid',
    as: 'ada',
    open: (window, { publisher, unverified }) =>
      window.goto(publisher.question(unverified, allScopes)),
  },
  { route: '/interaction/:uid', name: 'over', as: 'ada', open: at('/interaction/0') },
  {
    route: '/oauth/authorize',
    name: 'of an unknown application',
    as: 'ada',
    open: (window, { publisher }) =>
      window.goto(publisher.question({ client_id: 'nobody' }, allScopes)),
  },
  { route: '/oauth/logout', as: 'ada', open: at('/oauth/logout') },
  { route: '/oauth/logout/success', as: 'nobody', open: at('/oauth/logout/success') },
]

const organizationPages: readonly ShownPage[] = [
  { route: '/organizations', as: 'ada', open: at('/organizations') },
  { route: '/organizations', name: 'waiting', as: 'bo', open: at('/organizations') },
  ...[
    '',
    '/edit',
    '/works',
    '/works/new',
    '/content',
    '/import',
    '/claims',
    '/keys',
    '/applications',
    '/members',
    '/history',
  ].map((section): ShownPage => {
    const open = at(press + section)
    return { route: `/organizations/:slug${section}`, as: 'ada', open }
  }),
  {
    route: '/organizations/:slug/members/:ppid/remove',
    as: 'ada',
    open: follow(`${press}/members`, '/remove'),
  },
  {
    route: '/organizations/:slug/claims/:claim_id',
    as: 'ada',
    open: follow(`${press}/claims`, '/claims/claim_'),
  },
  {
    route: '/organizations/:slug/claims/:claim_id/refuse',
    as: 'ada',
    async open(window, world) {
      await follow(`${press}/claims`, '/claims/claim_')(window, world)
      await window.getByRole('link', { name: 'Refuse…' }).click()
    },
  },
  {
    route: '/organizations/:slug/works/new',
    name: 'refused',
    as: 'ada',
    open: send(`${press}/works/new`, { work_title: 'A title alone' }, 'Preview'),
  },
  {
    route: '/organizations/:slug/works/new',
    name: 'look',
    as: 'ada',
    open: send(`${press}/works/new`, work, 'Preview'),
  },
  {
    route: '/organizations/:slug/works/register',
    as: 'ada',
    async open(window, world) {
      await send(`${press}/works/new`, work, 'Preview')(window, world)
      await pushButton(window, 'Register it')
    },
  },
  ...['edit', 'new-version', 'withdraw'].map(
    (page): ShownPage => ({
      route: `/organizations/:slug/works/:name/${page}`,
      as: 'ada',
      async open(window, world) {
        await at(`${press}/works`)(window, world)
        await window.locator(`main a[href*="/works/"][href$="/${page}"]`).first().click()
      },
    }),
  ),
  {
    route: '/organizations/:slug/import',
    name: 'look',
    as: 'ada',
    open: send(`${press}/import`, { citations }, 'Read it'),
  },
  {
    route: '/organizations/:slug/import/register',
    as: 'ada',
    async open(window, world) {
      await send(`${press}/import`, { citations }, 'Read it')(window, world)
      await window.locator('main form button').first().click()
    },
  },
  {
    route: '/organizations/:slug/keys/:id',
    name: 'shown once',
    as: 'ada',
    open: send(`${press}/keys`, { 'search:read': 'on' }, 'Make the key'),
  },
  {
    route: '/organizations/:slug/applications',
    name: 'refused',
    as: 'ada',
    open: send(`${press}/applications`, { redirect_uris: 'http://press.example/' }, 'Register it'),
  },
  {
    route: '/organizations/:slug/applications/:client_id',
    as: 'ada',
    open: follow(`${press}/applications`, '/applications/app_'),
  },
  {
    route: '/organizations/:slug/applications/:client_id/secret',
    as: 'ada',
    async open(window, world) {
      await follow(`${press}/applications`, '/applications/app_')(window, world)
      await pushButton(window, 'Replace the secret')
    },
  },
  {
    route: '/organizations/:slug/keys/:id/revoke',
    as: 'ada',
    open: follow(`${press}/keys`, '/revoke'),
  },
  {
    route: '/organizations/:slug/applications/:client_id/revoke',
    as: 'ada',
    open: follow(`${press}/applications`, '/revoke'),
  },
  { route: '/organizations/:slug', name: 'not theirs', as: 'bo', open: at(press) },
  ...webhookPages,
  ...adminPages,
]

/** Every page that somebody can come to. */
export const shownPages: readonly ShownPage[] = [
  ...readerPages,
  ...visitorPages,
  ...accountPages,
  ...providerPages,
  ...organizationPages,
]

import { organizationPages } from '#test/browser/_organization_pages.ts'
import { at, follow, send } from '#test/browser/_page_actions.ts'
import { readerPages } from '#test/browser/_reader_pages.ts'
import type { ShownPage } from '#test/browser/_shown_page.ts'
import { allScopes, people } from '#test/browser/_world.ts'

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
  {
    route: '/invitations/:slug/:token',
    name: 'over',
    as: 'nobody',
    open: at('/invitations/press/once_0'),
  },
  { route: '/account-deleted', as: 'nobody', open: at('/account-deleted') },
  { route: '/*', as: 'nobody', open: at('/nothing-here') },
]

const accountPages: readonly ShownPage[] = [
  { route: '', as: 'ada', open: at('') },
  { route: '/account', as: 'ada', open: at('/account') },
  { route: '/account/reports', as: 'ada', open: at('/account/reports') },
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
  { route: '/account/notices', as: 'ada', open: at('/account/notices') },
  { route: '/account/mail', as: 'ada', open: at('/account/mail') },
  { route: '/account/searches', as: 'ada', open: at('/account/searches') },
  {
    route: '/account/searches',
    name: 'one to save',
    as: 'ada',
    open: at('/account/searches?save=q%3Dwhales'),
  },
  { route: '/account/welcome', as: 'ada', open: at('/account/welcome') },
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
    open: send('/account/sandbox', {}, 'Create key'),
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
    open: send('/account/keys', { days: '9999', ip_allow: 'here' }, 'Create key'),
  },
  {
    route: '/account/keys/:id',
    name: 'shown once',
    as: 'bo',
    open: send('/account/keys', { label: 'Notebook', mint: 'on' }, 'Create key'),
  },
  {
    route: '/account/keys/:id/rotate',
    as: 'ada',
    open: send('/account/keys', {}, 'Rotate key'),
  },
  {
    route: '/account/keys/:id/revoke',
    as: 'ada',
    open: follow('/account/keys', '/revoke'),
  },
  { route: '/account/security', as: 'ada', open: at('/account/security') },
  { route: '/account/second-step', as: 'ada', open: at('/account/second-step') },
  { route: '/account/passkeys', as: 'ada', open: at('/account/passkeys') },
  { route: '/account/sign-ins', as: 'ada', open: at('/account/sign-ins') },
  {
    route: '/account/sign-ins/not-mine',
    as: 'bo',
    open: send(
      '/account/sign-ins/not-mine',
      { current_password: 'wrong', new_password: 'short' },
      'Change password and sign out all others',
    ),
  },
  { route: '/account/confirm', as: 'ada', open: at('/account/confirm') },
  { route: '/account/unsent', as: 'ada', open: at('/account/unsent') },
  {
    route: '/account/second-step',
    name: 'begun',
    as: 'bo',
    open: send('/account/second-step', { current_password: people.bo.password }, 'Set up'),
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

/** Every page that somebody can come to. */
export const shownPages: readonly ShownPage[] = [
  ...readerPages,
  ...visitorPages,
  ...accountPages,
  ...providerPages,
  ...organizationPages,
]

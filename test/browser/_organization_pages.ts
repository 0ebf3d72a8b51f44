import { adminPages } from '#test/browser/_admin_pages.ts'
import { webhookPages } from '#test/browser/_webhook_pages.ts'
import { at, follow, pushButton, send } from '#test/browser/_page_actions.ts'
import type { ShownPage } from '#test/browser/_shown_page.ts'
import { citations } from '#test/browser/_works.ts'

const press = '/organizations/press'

const work = {
  work_title: 'Notes by the Translator',
  work_type: 'article',
  authors: 'Ada Lovelace (0000-0002-1825-0097)',
  work_url: 'https://press.example/works/2',
  description: 'Note G computes the numbers of Bernoulli.',
}

/** The pages of an organization, and of those who have one. */
export const organizationPages: readonly ShownPage[] = [
  { route: '/organizations', as: 'ada', open: at('/organizations') },
  { route: '/organizations', name: 'waiting', as: 'bo', open: at('/organizations') },
  ...[
    '',
    '/edit',
    '/works',
    '/works/new',
    '/content',
    '/import',
    '/changes',
    '/changes/undo',
    '/claims',
    '/keys',
    '/applications',
    '/members',
    '/consortium',
    '/history',
  ].map((section): ShownPage => {
    const open = at(press + section)
    return { route: `/organizations/:slug${section}`, as: 'ada', open }
  }),
  {
    route: '/organizations/:slug/works',
    name: 'found, all ticked',
    as: 'ada',
    open: at(`${press}/works?q=engine&type=article&sort=title&tick=all`),
  },
  {
    route: '/organizations/:slug/works',
    name: 'nothing found',
    as: 'ada',
    open: at(`${press}/works?q=nothinglikethis&registered=soon`),
  },
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
      await window.getByRole('link', { name: 'Decline…' }).click()
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
      await pushButton(window, 'Register work')
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
    open: send(`${press}/import`, { citations }, 'Read file'),
  },
  {
    route: '/organizations/:slug/import/register',
    as: 'ada',
    async open(window, world) {
      await send(`${press}/import`, { citations }, 'Read file')(window, world)
      await window.locator('main form button').first().click()
    },
  },
  {
    route: '/organizations/:slug/changes/:id',
    as: 'ada',
    open: send(`${press}/changes`, { license: 'CC0-1.0' }, 'Preview'),
  },
  {
    route: '/organizations/:slug/changes/:id/left',
    as: 'ada',
    async open(window, world) {
      const change = { works: 'ark:/12345/nothing', license: 'CC0-1.0' }
      await send(`${press}/changes`, change, 'Preview')(window, world)
      await window.locator('main a[href$="/left"]').click()
    },
  },
  {
    route: '/organizations/:slug/keys/:id',
    name: 'shown once',
    as: 'ada',
    open: send(`${press}/keys`, { 'search:read': 'on' }, 'Create key'),
  },
  {
    route: '/organizations/:slug/applications',
    name: 'refused',
    as: 'ada',
    open: send(
      `${press}/applications`,
      { redirect_uris: 'http://press.example/' },
      'Register application',
    ),
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
      await pushButton(window, 'Roll secret')
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

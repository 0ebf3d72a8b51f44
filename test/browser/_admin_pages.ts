import { follow } from '#test/browser/_page_actions.ts'
import type { ShownPage } from '#test/browser/_shown_page.ts'
import { people } from '#test/browser/_world.ts'

const adas = `/admin/accounts?q=${people.ada.email}`

/** Opens a page below the prefix. */
function at(path: string): ShownPage['open'] {
  return (window, { server }) => window.goto(`${server.started.base_url}/auth${path}`)
}

/** The pages of administrators. */
export const adminPages: readonly ShownPage[] = [
  { route: '/admin', as: 'root', open: at('/admin') },
  { route: '/admin/accounts', as: 'root', open: at('/admin/accounts') },
  {
    route: '/admin/accounts',
    name: 'nobody',
    as: 'root',
    open: at('/admin/accounts?q=nobody@example.org'),
  },
  { route: '/admin/accounts/:ppid', as: 'root', open: at(adas) },
  {
    route: '/admin/accounts/:ppid/:step',
    as: 'root',
    async open(window, world) {
      await at(adas)(window, world)
      await window.locator('main a[href$="/remove"]').click()
    },
  },
  { route: '/admin/organizations', as: 'root', open: at('/admin/organizations') },
  { route: '/admin/organizations/new', as: 'root', open: at('/admin/organizations/new') },
  { route: '/admin/applications', as: 'root', open: at('/admin/applications') },
  {
    route: '/admin/applications/:client_id',
    as: 'root',
    open: follow('/admin/applications', '/admin/applications/app_'),
  },
  {
    route: '/admin/applications/:client_id/revoke',
    as: 'root',
    async open(window, world) {
      await follow('/admin/applications', '/admin/applications/app_')(window, world)
      await window.getByRole('link', { name: 'End…' }).click()
    },
  },
  { route: '/admin/keys', as: 'root', open: at('/admin/keys') },
  {
    route: '/admin/keys/:id/revoke',
    as: 'root',
    open: follow('/admin/keys', '/revoke'),
  },
  { route: '/admin/audit', as: 'root', open: at('/admin/audit') },
  { route: '/admin/takedowns', as: 'root', open: at('/admin/takedowns') },
  {
    route: '/admin/takedowns/erase',
    as: 'root',
    open: (window, world) => at(`/admin/takedowns/erase?work=${world.ark}`)(window, world),
  },
  { route: '/admin/suspensions', as: 'root', open: at('/admin/suspensions') },
  {
    route: '/admin/audit',
    name: 'nobody',
    as: 'root',
    open: at('/admin/audit?actor=nobody@example.org&from=2026-02-30T25:00'),
  },
  { route: '/admin/reports', as: 'root', open: at('/admin/reports') },
  { route: '/admin/claims', name: 'empty', as: 'root', open: at('/admin/claims') },
  {
    route: '/admin/owners/:slug',
    as: 'root',
    open: at('/admin/owners/press'),
  },
  { route: '/admin/happened', as: 'root', open: at('/admin/happened') },
  { route: '/admin/mails', as: 'root', open: at('/admin/mails') },
  { route: '/admin/operations', as: 'root', open: at('/admin/operations') },
  { route: '/admin/operations', name: 'day', as: 'root', open: at('/admin/operations?span=day') },
  { route: '/admin/cluster', name: 'alone', as: 'root', open: at('/admin/cluster') },
]

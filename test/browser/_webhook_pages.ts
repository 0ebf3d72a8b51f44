import type { Page } from 'playwright-core'

import type { ShownPage } from '#test/browser/_shown_page.ts'
import type { World } from '#test/browser/_world.ts'

const list = '/organizations/press/webhooks'

function openList(window: Page, { server }: World): Promise<unknown> {
  return window.goto(`${server.started.base_url}/auth${list}`)
}

/** Opens the page of the webhook that there is; the first look makes it. */
async function openWebhook(window: Page, world: World): Promise<void> {
  await openList(window, world)
  const main = window.locator('main')
  const own = main.locator('.card a[href*="/webhooks/"]')
  if ((await own.count()) > 0) return own.first().click()
  await main.locator('[name="url"]').fill('https://hooks.example.org/arklog')
  await main.locator('[name="description"]').fill('The library')
  await main.getByRole('button', { name: 'Create webhook', exact: true }).click()
}

/** The pages of the webhooks of an organization. */
export const webhookPages: readonly ShownPage[] = [
  { route: '/organizations/:slug/webhooks', as: 'ada', open: openList },
  { route: '/organizations/:slug/webhooks/:id', as: 'ada', open: openWebhook },
  {
    route: '/organizations/:slug/webhooks/:id/remove',
    as: 'ada',
    async open(window, world) {
      await openWebhook(window, world)
      await window.locator('main a[href$="/remove"]').click()
    },
  },
]

import type { Locator, Page } from 'playwright-core'

import type { Opening } from '#test/browser/_shown_page.ts'
import { people, type Who, type World } from '#test/browser/_world.ts'

/** The address of a page below the prefix. */
export function addressOf({ server }: Pick<World, 'server'>, path: string): string {
  return `${server.started.base_url}/auth${path}`
}

/** Signs somebody in, with their password. */
export async function signIn(window: Page, world: World, who: Who): Promise<void> {
  const { email, password } = people[who]
  await window.goto(addressOf(world, '/sign-in'))
  await fill(window, { email, password })
  await pushButton(window, 'Sign in')
  await window.waitForURL('**/account')
}

/** Opens a page below the prefix. */
export function at(path: string): Opening {
  return (window, world) => window.goto(addressOf(world, path))
}

/** Follows the first link of a page to an address of this form. */
export function follow(path: string, link: string): Opening {
  return async (window, world) => {
    await at(path)(window, world)
    await window.locator(`main a[href*="${link}"]`).first().click()
  }
}

/** Fills in fields of a page by their names, and pushes a button. */
export function send(
  path: string,
  fields: Readonly<Record<string, string>>,
  button: string,
): Opening {
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
  await click(window, window.locator('main').getByRole('button', { name, exact: true }).first())
}

/** Clicks on something, and waits until the page that it leads to, if any, has come whole. */
export async function click(window: Page, target: Locator): Promise<void> {
  await target.click()
  await window.waitForLoadState()
}

/** What a page says, but for its navigation, once it has come whole. */
export async function textOf(window: Page): Promise<string> {
  await window.waitForLoadState()
  return (await window.textContent('main')) ?? ''
}

// A publisher works in a browser, through the balancer as it is shipped, while one leader after the
// other is killed.

import test, { type ExecutionContext } from 'ava'
import type { Page } from 'playwright-core'

import { freePort } from '#test/_free_port.ts'
import { until } from '#test/_until.ts'
import { findBarriers } from '#test/browser/_accessibility.ts'
import { openBrowser, looks, openWindow } from '#test/browser/_browser.ts'
import { fill, pushButton } from '#test/browser/_page_actions.ts'
import { people } from '#test/browser/_world.ts'
import { type Balancer, prepareBalancer, whyNoBalancer } from '#test/long/_balancer.ts'
import {
  agree,
  leaderOf,
  type NodePlace,
  startAgain,
  startCluster,
} from '#test/scenario/_cluster.ts'
import { newWork } from '#test/scenario/_process.ts'
import { overServers } from '#test/src/cluster/_over_servers.ts'

const { REQUIRE_FRONT_SERVERS } = process.env

overServers((servers) => {
  const title = 'a publisher at the balancer hardly notices that leaders are killed'
  const run = async (t: ExecutionContext) => {
    t.timeout(5 * 60_000)
    const balancer = await prepareBalancer(t)
    const settings = { BASE_URL: balancer.baseUrl, TRUST_PROXY: '127.0.0.1' }
    const { nodes } = await startCluster(t, servers(), settings, await drawPlaces())
    await balancer.start(nodes)
    const setupUrl = nodes[0].server.started.setup_url ?? ''
    const { page, faults } = await openPage(t, balancer)
    await foundPress(page, balancer, setupUrl)
    const killed = new Set<string>()
    for (const when of ['before the form is sent', 'once more', 'and again']) {
      const leader = await leaderOf(nodes)
      const name = `Registered ${when}`
      await page.goto(`${balancer.baseUrl}/auth/organizations/press/works/new`)
      await fill(page, { ...newWork(name), work_url: `https://example.org/${killed.size}` })
      await pushButton(page, 'Preview')
      await leader.server.end('SIGKILL')
      killed.add(leader.name)
      await pushButton(page, 'Register work')
      await page.waitForURL('**/works/register')
      t.regex(await page.locator('main').innerText(), /registered/i)
      await page.goto(`${balancer.baseUrl}/auth/organizations/press/works`)
      t.regex(await page.locator('main').innerText(), new RegExp(name))
      await startAgain(t, leader)
      await agree(nodes)
    }
    t.log(`${[...killed].join(', ')} were killed`)
    await lookAtCluster(t, page, balancer)
    t.deepEqual(faults, [])
  }
  if (whyNoBalancer === undefined) test.serial(title, run)
  else if (REQUIRE_FRONT_SERVERS === '1') test(title, (t) => t.fail(whyNoBalancer))
  else test.skip(`${title} (skipped: ${whyNoBalancer})`, run)
})

/** A port for each node: the balancer knows it by that when it returns. */
async function drawPlaces(): Promise<(name: string) => NodePlace> {
  const ports = new Map<string, string>()
  for (const name of ['a', 'b', 'c']) ports.set(name, String(await freePort()))
  return (name) => ({ settings: { PORT: ports.get(name) ?? '' }, prefix: [] })
}

/** An administrator sees all nodes, who leads, and that nobody is behind. */
async function lookAtCluster(t: ExecutionContext, page: Page, { baseUrl }: Balancer) {
  await page.goto(`${baseUrl}/auth/admin/organizations`)
  await page.getByRole('link', { name: 'Cluster' }).click()
  const rowOf = (name: string) => page.locator('tr', { hasText: name })
  await page.waitForURL('**/admin/cluster')
  t.is((await page.locator('tr', { hasText: 'leads' }).count()) > 0, true)
  for (const node of ['a', 'b', 'c']) {
    const row = page
      .getByRole('row')
      .filter({ has: page.getByRole('rowheader', { name: new RegExp(`^${node}\\b`) }) })
    t.is(await row.count(), 1, node)
  }
  // A node that has started this moment has not looked at the streams yet.
  await until('the page shows the streams', async () => {
    await page.reload()
    return (await rowOf('arklog-live').count()) === 1
  })
  t.regex(await rowOf('arklog-identity').innerText(), /^arklog-identity\s+\d+\s+\d+\s/)
  for (const { colorScheme, viewport, name } of looks) {
    await page.emulateMedia({ colorScheme })
    await page.setViewportSize(viewport)
    t.deepEqual(await findBarriers(page), [], name)
    const { PICTURES } = process.env
    if (PICTURES !== undefined) {
      await page.screenshot({ path: `${PICTURES}/cluster ${name}.png`, fullPage: true })
    }
  }
}

/** A window, and what it was answered that no person should be. */
async function openPage(t: ExecutionContext, { baseUrl }: Balancer) {
  const browser = await openBrowser()
  t.teardown(() => browser.close())
  const options = { ignoreHTTPSErrors: true, baseURL: baseUrl }
  const page = await openWindow(t, browser, undefined, options)
  const faults: string[] = []
  page.on('response', (response) => {
    if (response.status() >= 500) faults.push(`${response.status()} ${response.url()}`)
  })
  return { page, faults }
}

/** The first administrator asks for an organization, and enters it. */
async function foundPress(page: Page, { baseUrl }: Balancer, setupUrl: string): Promise<void> {
  await page.goto(setupUrl)
  await fill(page, people.root)
  await pushButton(page, 'Create administrator')
  await page.waitForURL('**/account?done=welcome')
  await page.goto(`${baseUrl}/auth/organizations`)
  await fill(page, { slug: 'press', name: 'Taylor Press', message: 'I translate for it.' })
  await pushButton(page, 'Send request')
  await page.goto(`${baseUrl}/auth/admin/organizations`)
  await pushButton(page, 'Approve request')
}

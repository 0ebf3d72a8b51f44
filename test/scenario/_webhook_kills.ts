import type { ExecutionContext } from 'ava'
import { Webhook } from 'standardwebhooks'

import {
  edgeThreadsOf,
  newDataDir,
  newWork,
  runJson,
  startServer,
} from '#test/scenario/_process.ts'
import { request } from '#test/scenario/_request.ts'
import { untilCame } from '#test/_until.ts'
import { serveWhole } from '#test/src/delivery/fetch/_servers.ts'

type Made = { readonly id: string; readonly secret: string }
/** Lives of a registry, and works of each: every work is registered, and changed once. */
export type WebhookKills = { readonly lives: number; readonly worksOfALife: number }

type Arrival = { readonly id: string; readonly ark: string; readonly version: number }

/**
 * Kills a registry at the end of each of its lives but the last, while what it was told is on its
 * way to a subscriber: all of it comes there, in the order of each work.
 */
export async function killDuringDeliveries(
  t: ExecutionContext,
  { lives, worksOfALife }: WebhookKills,
): Promise<void> {
  const arrivals: Arrival[] = []
  let webhook: Webhook | undefined
  const subscriber = await serveWhole(t, (body, incoming, response) => {
    const headers = incoming.headers as Record<string, string>
    webhook?.verify(body, headers)
    const { data } = JSON.parse(body) as { data: { ark: string; version: number } }
    arrivals.push({ id: headers['webhook-id'] ?? '', ark: data.ark, version: data.version })
    response.writeHead(204).end()
  })
  const shared = {
    DATA_DIR: await newDataDir(t),
    RATE_LIMITS: 'off',
    LOG_LEVEL: 'warn',
    FETCH_ALLOW: subscriber.hostPort,
    FETCH_HOST_INTERVAL_MS: '0',
  }
  const expected = new Set<string>()
  let key = ''
  for (let life = 0; life < lives; life += 1) {
    const settings = { ...shared, ...edgeThreadsOf(life) }
    const server = await startServer(t, settings)
    if (life === 0) {
      const scopes = ['--scopes', 'works:write,webhooks:manage']
      const wish = ['key', 'create', '--owner', 'org:demo', ...scopes]
      key = (await runJson<{ key: string }>(t, wish, settings)).key
      const path = '/v1/organizations/demo/webhooks'
      const made = await request<Made>(server, path, { key, body: { url: subscriber.url } })
      t.is(made.status, 201)
      webhook = new Webhook(made.body.secret)
    }
    for (let count = 0; count < worksOfALife; count += 1) {
      const body = newWork(`Work ${life}.${count}`)
      const work = await request<{ ark_identifier: string }>(server, '/v1/works', { key, body })
      t.is(work.status, 201)
      const { ark_identifier: ark } = work.body
      const change = { method: 'PUT', key, body: { description: 'Of two versions' } }
      t.is((await request(server, `/v1/works/${ark}`, change)).status, 200)
      expected.add(`${ark} 1`).add(`${ark} 2`)
    }
    if (life < lives - 1) {
      await server.end('SIGKILL')
    }
  }
  const arrived = () => new Set(arrivals.map(({ ark, version }) => `${ark} ${version}`))
  const came = () => arrived().size
  await untilCame('all messages have come', expected.size, came, { pauseMs: 50 })
  t.deepEqual(arrived(), expected)
  // What comes again comes in order too, so the first of each is what tells.
  const newest = new Map<string, number>()
  for (const { ark, version } of arrivals) {
    if (!newest.has(ark)) t.is(version, 1, ark)
    newest.set(ark, version)
  }
  for (const [ark, version] of newest) t.is(version, 2, ark)
}

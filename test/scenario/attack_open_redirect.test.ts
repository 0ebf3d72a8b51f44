// A stranger sends people links to the pages that are to lead them elsewhere after their sign-in.

import net from 'node:net'
import { text } from 'node:stream/consumers'
import test from 'ava'

import { newDataDir, type Server, startServer } from '#test/scenario/_process.ts'
import { share } from '#test/scenario/_shared_server.ts'
import { TestBrowser } from '#test/src/_browser.ts'
import type { Owner } from '#test/src/delivery/fetch/_servers.ts'
import { freePort } from '#test/_free_port.ts'

const ada = { name: 'Ada Lovelace', email: 'ada@example.org', password: 'a long enough sentence' }
const quiet = { RATE_LIMITS: 'off', LOG_LEVEL: 'warn' }

const places = [
  '//evil.example',
  '/.//evil.example',
  '/%2e//evil.example',
  '/a/..//evil.example',
  '/%2E%2E//evil.example',
  '/\\evil.example',
  '/.\\\\evil.example',
  '/\t/evil.example',
  '/.\n//evil.example',
  'https:evil.example',
  'https://evil.example',
]

async function startAt(t: Owner, path: string) {
  const port = await freePort()
  const authUrl = `http://localhost:${port}${path}`
  const apart = { AUTH_URL: authUrl, AUTH_PORT: String(port) }
  const server = await startServer(t, { DATA_DIR: await newDataDir(t), ...apart, ...quiet })
  return { server, authUrl }
}

const atRoot = share((owner) => startAt(owner, ''))

for (const path of ['', '/auth']) {
  test(`no return_to leads away from pages at "${path}"`, async (t) => {
    const { authUrl } = path === '' ? atRoot() : await startAt(t, path)
    const { origin } = new URL(authUrl)
    const browser = new TestBrowser(origin)
    const asked = (page: string, place: string) => {
      const account = path === '' ? place : `${path}${place}`
      return [
        place,
        account,
        `${origin}${place}`,
        `http://a:b@${new URL(authUrl).host}${place}`,
      ].map((to) => `${authUrl}${page}?${new URLSearchParams({ return_to: to })}`)
    }
    const stays = ({ url, headers }: { url: string; headers: Headers }) => {
      const location = headers.get('location')
      t.is(new URL(location ?? '', url).origin, origin, `${url} leads to ${location}`)
    }
    const form = await browser.go(asked('/sign-up', '/.//evil.example')[0] ?? '')
    const joined = await browser.send(form, ada, '/sign-up')
    t.is(joined.status, 303)
    stays(joined)
    for (const place of places) {
      for (const page of ['/sign-in', '/sign-up']) {
        for (const url of asked(page, place)) {
          const seen = await browser.request(url)
          t.is(seen.status, 303)
          stays(seen)
        }
      }
    }
    const { email, password } = ada
    for (const url of asked('/sign-in', '/.//evil.example')) {
      const stranger = new TestBrowser(origin)
      const page = await stranger.go(url)
      const entered = await stranger.send(page, { email, password }, '/sign-in')
      t.is(entered.status, 303)
      stays(entered)
    }
  })
}

test('a request line with a host of its own does not choose where a browser is sent', async (t) => {
  const { server, authUrl } = atRoot()
  for (const [target, location] of [
    ['http://evil.example/sign-in', `${authUrl}/sign-in`],
    ['http://.evil.example/sign-in?a=1', `${authUrl}/sign-in?a=1`],
    ['/sign-in', `${authUrl}/sign-in`],
  ] as const) {
    t.is(await locationOf(server, target), location, target)
  }
})

/** Where a request whose target is written as it is here is sent. */
async function locationOf(server: Server, target: string): Promise<string | undefined> {
  const { hostname, port, host } = new URL(server.started.local_url)
  const socket = net.connect(Number(port), hostname)
  socket.write(`GET ${target} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`)
  return /^location: (.*)\r$/im.exec(await text(socket))?.[1]
}

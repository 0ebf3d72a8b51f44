// A copy is served as its log serves it, and nothing else is.

import { once } from 'node:events'
import http, { type IncomingMessage } from 'node:http'
import test from 'ava'

import { until } from '#test/_until.ts'
import { serveCopy } from '#src/cli/mirror.ts'
import { openMirror } from '#test/src/tlog_tools/mirror/_opened_mirror.ts'
import { filesOf, makeEntries, serveLog } from '#test/src/tlog_tools/monitor/_served_log.ts'

const entries = makeEntries(700)

/** The status of an answer to a request whose path is sent as it is. */
async function statusOf(url: string, method: string, path: string): Promise<number | undefined> {
  const { hostname, port } = new URL(url)
  const asking = http.request({ hostname, port, method, path }).end()
  const [response] = (await once(asking, 'response')) as [IncomingMessage]
  response.resume()
  return response.statusCode
}

test('every file of the log is there, also of its earlier sizes', async (t) => {
  const mirror = await openMirror(t, await serveLog(t, entries))
  await mirror.look()
  const service = await serveCopy(mirror.folder, { host: '127.0.0.1', port: 0 })
  t.teardown(() => service.close())
  const get = (path: string, method = 'GET') => fetch(`${service.url}/${path}`, { method })
  for (const size of [700, 300, 3]) {
    for (const [path, bytes] of filesOf(entries.slice(0, size))) {
      if (path === 'checkpoint' && size < 700) continue
      const response = await get(path)
      t.is(response.status, 200, path)
      t.deepEqual(Buffer.from(await response.arrayBuffer()), bytes, path)
      const isTile = path !== 'checkpoint'
      t.regex(response.headers.get('cache-control') ?? '', isTile ? /immutable/ : /^no-cache$/)
      t.is(response.headers.get('access-control-allow-origin'), '*')
    }
  }
  const head = await get('tile/0/000', 'HEAD')
  t.is(head.headers.get('content-length'), '8192')
  t.is(await head.text(), '')
})

test('readers who take nothing cost no more than is set aside for them', async (t) => {
  const mirror = await openMirror(t, await serveLog(t, entries))
  await mirror.look()
  // More than lies in the buffers of two sockets.
  await mirror.replace('tile/entries/000', Buffer.alloc(16_000_000))
  const limits = { reads: 4, unsentBytes: 16_000_000 }
  const service = await serveCopy(mirror.folder, { host: '127.0.0.1', port: 0 }, limits)
  t.teardown(() => service.close())
  const { hostname, port } = new URL(service.url)
  const slow = http.request({ hostname, port, path: '/tile/entries/000' }).end()
  const [unread] = (await once(slow, 'response')) as [IncomingMessage]
  unread.pause()
  t.is(unread.statusCode, 200)
  await until('others are told to come later', async () => {
    return (await statusOf(service.url, 'GET', '/checkpoint')) === 503
  })
  slow.destroy()
  await until('the others are served', async () => {
    return (await statusOf(service.url, 'GET', '/checkpoint')) === 200
  })
})

test('what is no file of the log is not there, and nothing is written', async (t) => {
  const mirror = await openMirror(t, await serveLog(t, entries))
  await mirror.look()
  await mirror.replace('tile/secret', Buffer.from('not of the log'))
  const service = await serveCopy(mirror.folder, { host: '127.0.0.1', port: 0 })
  t.teardown(() => service.close())
  const paths = [
    '/',
    '/checkpoint/',
    '/checkpoint?a',
    '/tile/secret',
    '/tile/0/000/../../secret',
    '/tile/0/../../../../etc/passwd',
    '/%74ile/0/000',
    '/tile/0/0',
    '/tile/0/003',
    '/tile/0/002.p/189',
    '/tile/entries/002.p/256',
    '/tile/64/000',
    '//checkpoint',
  ]
  for (const path of paths) t.is(await statusOf(service.url, 'GET', path), 404, path)
  for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS']) {
    t.is(await statusOf(service.url, method, '/checkpoint'), 405, method)
  }
})

import test from 'ava'

import { loadConfig } from '#config/config.ts'
import { configuredFetcher } from '#src/delivery/fetch/content_fetcher.ts'
import { never } from '#test/src/delivery/fetch/_fetcher.ts'
import { serve } from '#test/src/delivery/fetch/_servers.ts'

test('a configured fetcher keeps to its limits and says who it is', async (t) => {
  const server = await serve(t, ({ url }, response) =>
    response.end('x'.repeat(Number(url?.slice(1)))),
  )
  const ours = await serve(t, (_request, response) => response.end('ours'))
  const config = loadConfig({
    FETCH_ALLOW: `${server.hostPort},${ours.hostPort}`,
    FETCH_BYTES_MAX: '1000',
  })
  const fetcher = configuredFetcher(config, ours.url, (fault) => t.fail(fault.message))
  t.teardown(() => fetcher.close())
  const typeOf = async (url: string) => (await fetcher.fetchDigest(url, { signal: never })).type
  t.is(await typeOf(`${server.url}/1000`), 'fetched')
  t.is(await typeOf(`${server.url}/1001`), 'too_large')
  t.is(await typeOf(ours.url), 'refused_url')
  t.is(await typeOf('http://127.0.0.1/'), 'refused_address')
  t.is(ours.connections(), 0)
  t.is(server.seen[0]?.headers['user-agent'], `Arklog (+${ours.url})`)
  await fetcher.close()
  t.is(await typeOf(server.url), 'aborted')
})

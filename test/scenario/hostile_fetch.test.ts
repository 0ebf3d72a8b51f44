import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import test from 'ava'

import { serveContent } from '#test/scenario/_content_server.ts'
import { judgeAddresses } from '#test/scenario/_fetch_verdicts.ts'
import type { HostileNetworkReport } from '#test/scenario/_hostile_network.ts'
import { firstKey, newDataDir, startServer } from '#test/scenario/_process.ts'
import { runInNetwork, whyNoNetwork } from '#test/src/delivery/fetch/_network_namespace.ts'
import { privateAddresses } from '#test/src/delivery/fetch/_private_addresses.ts'
import { serve } from '#test/src/delivery/fetch/_servers.ts'

const reason = whyNoNetwork()

// Of the network's hosts, as their names resolve.
const privateAddress = /(?:\b10\.|\b127\.|\b169\.254|\b192\.168|\bf[cde][0-9a-f]{2}:|::1)/

const refusals = ['refused_url', 'refused_address']

test('works that name a private server in any spelling do not make us ask it', async (t) => {
  const hidden = await serve(t, (_, response) => response.end('secret'), { host: '::' })
  const content = await serveContent(t, 1)
  const [hostPort = ''] = content.hostPorts
  const server = await startServer(t, {
    DATA_DIR: await newDataDir(t),
    RATE_LIMITS: 'off',
    FETCH_CONTENT: 'on',
    FETCH_ALLOW: hostPort,
    FETCH_HOST_INTERVAL_MS: '0',
  })
  const hosts = [...privateAddresses, 'localhost', 'localhost.']
  const named = [
    ...hosts.flatMap((host) => [`http://${host}:${hidden.port}/`, `http://${host}/`]),
    `http://a.localhost:${hidden.port}/`,
  ]
  const redirects = [...named, `http://${hostPort}/redirect/2?to=${hidden.url}`].map(
    (address) => `http://${hostPort}/redirect/1?to=${encodeURIComponent(address)}`,
  )
  const own = `${server.started.base_url}/healthz`
  const addresses = [...named, ...redirects, own, `https://${new URL(own).host}/`]
  const verdicts = await judgeAddresses(server, firstKey(server), addresses)

  t.is(verdicts.size, addresses.length)
  for (const [address, verdict] of verdicts) {
    if (verdict.type === 'not_registered') {
      t.is(verdict.status, 422, address)
      continue
    }
    const { status, reason: word, message } = verdict.check
    t.is(status, 'unreachable', address)
    t.true(refusals.includes(word ?? ''), `${address}: ${word}`)
    t.regex(message ?? '', /^the address is not fetched: /, 'its depositor is told')
  }
  t.is(hidden.connections(), 0)
  const [asked] = await content.count()
  t.is(asked?.requests, redirects.length + 1, 'every redirect was asked for, once')
  t.is((await server.end('SIGTERM')).code, 0)
})

const title = 'works that name private hosts of a network do not make the registry ask them'

if (reason === undefined) testNetwork()
else test.skip(`${title} (skipped, no namespace: ${reason})`, () => undefined)

function testNetwork(): void {
  test(title, async (t) => {
    const resolvConf = path.join(path.dirname(await newDataDir(t)), 'resolv.conf')
    await writeFile(resolvConf, 'nameserver 127.0.0.1\n')
    const script = new URL('./_hostile_network.ts', import.meta.url).pathname
    const node = `'${process.execPath}' '${script}'`
    const output = await runInNetwork(`mount --bind '${resolvConf}' /etc/resolv.conf && ${node}`)
    const { verdicts, doiVerdicts, connections } = JSON.parse(output) as HostileNetworkReport

    const { '93.184.215.14': reached = 0, ...privately } = connections
    t.true(reached > 0)
    t.is(Object.keys(privately).length, 6)
    for (const [host, count] of Object.entries(privately)) t.is(count, 0, host)

    const { 'http://public.example': found, ...others } = verdicts
    t.like(found, { type: 'checked', check: { status: 'verified', bytes: 7 } })
    t.is(Object.keys(others).length, 24)
    for (const [address, verdict] of Object.entries(others)) {
      t.like(
        verdict,
        { type: 'checked', check: { status: 'unreachable', reason: 'refused_address' } },
        address,
      )
      const { message = '' } = verdict.type === 'checked' ? verdict.check : {}
      t.notRegex(String(message), privateAddress, 'nobody is told where the name leads')
    }
    const { page, file } = doiVerdicts
    t.like(file, { type: 'checked', check: { status: 'verified', bytes: 7 } })
    t.like(page, { check: { status: 'unreachable', reason: 'landing_page' } })
    t.regex(
      page.type === 'checked' ? String(page.check.message) : '',
      /the DOI leads to a web page/,
    )
  })
}

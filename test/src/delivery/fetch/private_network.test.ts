import test from 'ava'

import { runInNetwork, whyNoNetwork } from '#test/src/delivery/fetch/_network_namespace.ts'
import type { PrivateNetworkReport } from '#test/src/delivery/fetch/_private_network.ts'

const script = new URL('./_private_network.ts', import.meta.url).pathname

const reason = whyNoNetwork()

if (reason === undefined) await testPrivateNetwork()
else test.skip(`no private server is reached (skipped, no namespace: ${reason})`, () => undefined)

async function testPrivateNetwork(): Promise<void> {
  const node = `'${process.execPath}' '${script}'`
  const output = await runInNetwork(node)
  const { outcomes, posts, connections, questions } = JSON.parse(output) as PrivateNetworkReport

  test('no private server is reached, the public one is', (t) => {
    const { '93.184.215.14': reached = 0, ...privately } = connections
    t.true(reached > 0)
    t.is(Object.keys(privately).length, 6)
    for (const [host, count] of Object.entries(privately)) t.is(count, 0, host)
  })

  test('only what is public was fetched', (t) => {
    const { 'public.example': content, ...others } = outcomes
    t.like(content, { type: 'fetched', bytes: 7 })
    t.is(Object.keys(others).length, 23)
    for (const [address, { type }] of Object.entries(others)) {
      t.is(type, 'refused_address', address)
    }
  })

  test('only to what is public was posted, and what it redirects to got nothing', (t) => {
    const answered = Object.entries(posts).filter(([, { type }]) => type === 'answered')
    const isPublic = (host: string) => /^(public|rebind-post)\.example/.test(host)
    t.deepEqual(
      answered.map(([host]) => host).filter((host) => !isPublic(host)),
      [],
    )
    t.like(posts['public.example'], { type: 'answered', status: 200 })
    t.like(posts['public.example/to-address'], { type: 'answered', status: 302 })
    t.like(posts['rebind-post.example/again'], { type: 'answered', status: 302 })
    const second = posts['rebind-post.example/again?twice']
    t.is(second?.type, 'failed')
    t.regex(JSON.stringify(second), /its host is not public/)
  })

  test('a name that is rebound between two requests is refused at the second', (t) => {
    t.like(outcomes['public.example/again'], { type: 'refused_address', address: '10.0.0.1' })
    const asked = questions.filter((question) => question === 'rebind.example A')
    t.is(asked.length, 2)
  })
}

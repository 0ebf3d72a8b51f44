import test from 'ava'
import { execFileSync } from 'node:child_process'

import type { PrivateNetworkReport } from '#test/src/fetch/_private_network.ts'

const script = new URL('./_private_network.ts', import.meta.url).pathname

/** Runs a command as the owner of a network that has a loopback device and nothing else. */
function runInNetwork(command: string): string {
  const args = ['-Urn', 'sh', '-c', `ip link set lo up && ${command}`]
  return execFileSync('unshare', args, { stdio: 'pipe', encoding: 'utf8' })
}

function whyNoNetwork(): string | undefined {
  try {
    runInNetwork('ip address add 10.0.0.1 dev lo && ip address add fd00::1 dev lo')
    return undefined
  } catch (error) {
    return String(error).split('\n', 2).join(' ')
  }
}

const reason = whyNoNetwork()

if (reason === undefined) testPrivateNetwork()
else test.skip(`no private server is reached (skipped, no namespace: ${reason})`, () => undefined)

function testPrivateNetwork(): void {
  const node = `'${process.execPath}' '${script}'`
  const { outcomes, connections, questions } = JSON.parse(
    runInNetwork(node),
  ) as PrivateNetworkReport

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

  test('a name that is rebound between two requests is refused at the second', (t) => {
    t.like(outcomes['public.example/again'], { type: 'refused_address', address: '10.0.0.1' })
    const asked = questions.filter((question) => question === 'rebind.example A')
    t.is(asked.length, 2)
  })
}

import test, { type ExecutionContext } from 'ava'
import type { LookupAddress } from 'node:dns'

import { checkedLookup, dnsLookup, LookupError } from '#src/delivery/fetch/address_rule.ts'
import { type Answer, serveNames } from '#test/src/delivery/fetch/_name_server.ts'

async function lookupOver(t: ExecutionContext, answerOf: (name: string, nth: number) => Answer) {
  const { address, questions } = await serveNames(t, answerOf)
  const lookup = dnsLookup({ servers: [address], timeout: 100, tries: 2 })
  return { lookup, questions }
}

/** What a look-up hands over to the socket. */
function connectTo(lookup: ReturnType<typeof checkedLookup>, host: string) {
  return new Promise<unknown>((resolve, reject) => {
    lookup(host, { all: true }, (error, addresses) =>
      error === null ? resolve(addresses) : reject(error),
    )
  })
}

test('a name has its IPv4 and IPv6 addresses, each asked for once', async (t) => {
  const { lookup, questions } = await lookupOver(t, () => ['93.184.215.14', '2606:2800:21f::1'])
  const expected: LookupAddress[] = [
    { address: '93.184.215.14', family: 4 },
    { address: '2606:2800:21f::1', family: 6 },
  ]
  t.deepEqual(await connectTo(checkedLookup(lookup), 'example.org'), expected)
  t.deepEqual(questions.toSorted(), ['example.org A', 'example.org AAAA'])
})

test('one private address among public ones refuses the name', async (t) => {
  const { lookup } = await lookupOver(t, () => ['93.184.215.14', 'fd00::1'])
  await t.throwsAsync(connectTo(checkedLookup(lookup), 'mixed.example'), {
    instanceOf: LookupError,
    code: 'refused_address',
    message: 'fd00::1 is uniqueLocal',
  })
})

test('a name whose answers change is judged by those that are connected to', async (t) => {
  const { lookup } = await lookupOver(t, (_name, nth) => [nth === 0 ? '93.184.215.14' : '10.0.0.1'])
  const checked = checkedLookup(lookup)
  const handed = await connectTo(checked, 'rebind.example')
  t.deepEqual(handed, [{ address: '93.184.215.14', family: 4 }])
  await t.throwsAsync(connectTo(checked, 'rebind.example'), {
    code: 'refused_address',
    message: '10.0.0.1 is private',
  })
})

test('no more addresses than can be tried are handed over, and all are judged', async (t) => {
  const many = Array.from({ length: 20 }, (_, index) => `93.184.215.${index}`)
  const { lookup } = await lookupOver(t, (name) => (name === 'a.example' ? many : [...many, '::1']))
  t.is(((await connectTo(checkedLookup(lookup), 'a.example')) as unknown[]).length, 8)
  await t.throwsAsync(connectTo(checkedLookup(lookup), 'b.example'), { code: 'refused_address' })
})

test('a name server that fails or is silent is told from one that knows no address', async (t) => {
  const { lookup } = await lookupOver(t, (name) => {
    if (name.startsWith('fail')) return 'fail'
    return name.startsWith('silent') ? 'silent' : []
  })
  for (const [host, code] of [
    ['none.example', 'ENODATA'],
    ['fail.example', 'ESERVFAIL'],
    ['silent.example', 'ETIMEOUT'],
  ] as const) {
    const error = await t.throwsAsync<LookupError>(connectTo(checkedLookup(lookup), host), {
      instanceOf: LookupError,
      code: 'dns_failed',
      message: `${host} cannot be resolved: ${code}`,
    })
    t.is(error.subject, code)
  }
})

test('a name of the hosts file is asked of the name server like any other', async (t) => {
  const { lookup, questions } = await lookupOver(t, () => ['93.184.215.14'])
  await connectTo(checkedLookup(lookup), 'ip6-localhost')
  t.deepEqual(questions.toSorted(), ['ip6-localhost A', 'ip6-localhost AAAA'])
})

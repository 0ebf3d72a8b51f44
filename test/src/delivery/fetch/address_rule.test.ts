import type { LookupAddress } from 'node:dns'
import net from 'node:net'
import test from 'ava'
import type { ExecutionContext } from 'ava'
import fc from 'fast-check'

import {
  checkedLookup,
  dnsLookup,
  LookupError,
  specialBlockList,
  whyNotPublic,
} from '#src/delivery/fetch/address_rule.ts'
import { type Answer, serveNames } from '#test/src/delivery/fetch/_name_server.ts'

const publicAddresses = [
  '1.1.1.1',
  '8.8.8.8',
  '9.255.255.255',
  '11.0.0.0',
  '93.184.215.14',
  '100.63.255.255',
  '100.128.0.0',
  '168.63.129.15',
  '172.15.255.255',
  '172.32.0.0',
  '192.0.1.0',
  '198.17.255.255',
  '198.20.0.0',
  '223.255.255.255',
  '2001:200::1',
  '2001:4860:4860::8888',
  '2003::1',
  '2606:2800:21f::1',
  '2a00:1450:4001::1',
  '3ffe::1',
]

// The edges of each network, and what has been used to get around such a list.
const otherAddresses = {
  '0.0.0.0': 'unspecified',
  '10.255.255.255': 'private',
  '100.64.0.0': 'carrierGradeNat',
  '100.127.255.255': 'carrierGradeNat',
  '127.0.0.1': 'loopback',
  '168.63.129.16': 'in 168.63.129.16/32',
  '169.254.169.254': 'linkLocal',
  '172.16.0.0': 'private',
  '192.0.0.192': 'reserved',
  '192.88.99.1': 'reserved',
  '198.19.255.255': 'reserved',
  '203.0.113.1': 'reserved',
  '224.0.0.1': 'multicast',
  '240.0.0.1': 'reserved',
  '255.255.255.255': 'broadcast',
  '::': 'unspecified',
  '::1': 'loopback',
  '::8.8.8.8': 'ipv4Mapped',
  '::ffff:8.8.8.8': 'ipv4Mapped',
  '::ffff:0:8.8.8.8': 'rfc6145',
  '64:ff9b::808:808': 'rfc6052',
  '64:ff9b:1::1': 'rfc6052',
  '100::1': 'discard',
  '1fff:ffff::1': 'not allocated',
  '2001::1': 'teredo',
  '2001:1::1': 'reserved',
  '2001:2::1': 'benchmarking',
  '2001:10::1': 'deprecatedOrchid',
  '2001:20::1': 'orchid2',
  '2001:db8::1': 'reserved',
  '2002:7f00:1::': '6to4',
  '3fff::1': 'reserved',
  '4000::1': 'not allocated',
  '5f00::1': 'segmentRouting',
  'fc00::1': 'uniqueLocal',
  'fd00:ec2::254': 'uniqueLocal',
  'fe80::1': 'linkLocal',
  'fe80::1%eth0': 'linkLocal',
  'fec0::1': 'deprecatedSiteLocal',
  'ff02::1': 'multicast',
} as const

test('public addresses are public for both locks', (t) => {
  const list = specialBlockList()
  for (const address of publicAddresses) {
    t.is(whyNotPublic(address), undefined, address)
    t.false(list.check(address, familyOf(address)), address)
  }
})

test('no other address is public for the first lock', (t) => {
  for (const [address, why] of Object.entries(otherAddresses)) {
    t.is(whyNotPublic(address), `${address} is ${why}`)
  }
})

// The list cannot tell a mapped public address from that address itself, and need not.
test('no other address is public for the second lock', (t) => {
  const list = specialBlockList()
  const mapped = new Set(['::ffff:8.8.8.8'])
  for (const text of Object.keys(otherAddresses).filter((address) => !mapped.has(address))) {
    const address = text.replace(/%.*/, '')
    t.true(list.check(address, familyOf(address)), address)
  }
  for (const address of ['::ffff:10.0.0.1', '::ffff:7f00:1']) t.true(list.check(address, 'ipv6'))
})

test('what is no address is not public', (t) => {
  for (const text of ['', 'localhost', '1.1.1', '0x7f.1', '2130706433', '[::1]', '1.1.1.1 ']) {
    t.is(whyNotPublic(text), `${text} is not an IP address`)
  }
})

test('what the first lock lets through, the second does too, and never a mapped address', (t) => {
  const list = specialBlockList()
  fc.assert(
    fc.property(fc.oneof(fc.ipV4(), fc.ipV6()), (address) => {
      if (whyNotPublic(address) !== undefined) return
      t.false(list.check(address, familyOf(address)), address)
      t.false(/^0{0,4}:/.test(address), address)
    }),
    { numRuns: 2_000 },
  )
})

test('an IPv4 address that the second lock refuses, the first refuses too', (t) => {
  const list = specialBlockList()
  fc.assert(
    fc.property(fc.ipV4(), (address) => {
      if (list.check(address, 'ipv4')) t.not(whyNotPublic(address), undefined, address)
    }),
    { numRuns: 2_000 },
  )
})

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return net.isIPv4(address) ? 'ipv4' : 'ipv6'
}

/** Asks once, for as long as no answer takes; who is to wait in vain says for how long. */
async function lookupOver(
  t: ExecutionContext,
  answerOf: (name: string, nth: number) => Answer,
  timeout = 60_000,
) {
  const { address, questions } = await serveNames(t, answerOf)
  const lookup = dnsLookup({ servers: [address], timeout, tries: 1 })
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
  for (const [host, code, answer, timeout] of [
    ['none.example', 'ENODATA', [], undefined],
    ['fail.example', 'ESERVFAIL', 'fail', undefined],
    ['silent.example', 'ETIMEOUT', 'silent', 100],
  ] as const) {
    const { lookup } = await lookupOver(t, () => answer, timeout)
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

import test from 'ava'

import { ipAllowed, isNetwork, networkOf, parseIpList } from '#src/identity/store/ip_list.ts'

test('addresses and networks of both families are accepted in a list', (t) => {
  for (const text of ['192.0.2.7', '192.0.2.0/24', '0.0.0.0/0', '2001:db8::1', '2001:db8::/32']) {
    t.true(isNetwork(text), text)
  }
})

test('short, hexadecimal, named and overlong forms are not', (t) => {
  const wrong = [
    '',
    '127.1',
    '0x7f000001',
    '2130706433',
    'localhost',
    '192.0.2.0/33',
    '::/129',
    '1.2.3',
  ]
  for (const text of wrong) t.false(isNetwork(text), text)
})

test('an empty list allows every address', (t) => {
  t.true(ipAllowed([], '203.0.113.9'))
})

test('a list allows what lies in one of its networks', (t) => {
  const list = parseIpList(['192.0.2.0/24', '198.51.100.7', '2001:db8::/32', '2001:4860::8'])
  for (const ip of ['192.0.2.255', '198.51.100.7', '2001:db8:ffff::1', '2001:4860::8']) {
    t.true(ipAllowed(list, ip), ip)
  }
  for (const ip of ['192.0.3.0', '198.51.100.8', '2001:db9::1', '2001:4860::9', '', 'unix']) {
    t.false(ipAllowed(list, ip), ip)
  }
})

test('an IPv4 address mapped into IPv6 counts as the IPv4 address, on both sides', (t) => {
  t.true(ipAllowed(parseIpList(['192.0.2.0/24']), '::ffff:192.0.2.7'))
  t.true(ipAllowed(parseIpList(['::ffff:192.0.2.7']), '192.0.2.7'))
  t.false(ipAllowed(parseIpList(['::/0']), '::ffff:192.0.2.7'))
})

test('a network of mapped addresses is the network of IPv4, from 96 bits on', (t) => {
  for (const [text, inside, outside] of [
    ['::ffff:127.0.0.0/104', '127.9.9.9', '128.0.0.1'],
    ['::ffff:192.0.2.0/120', '::ffff:192.0.2.7', '192.0.3.7'],
    ['::ffff:c000:0200/120', '192.0.2.7', '::ffff:192.0.3.7'],
    ['::ffff:0:0/96', '203.0.113.9', '2001:db8::1'],
    ['::ffff:192.0.2.7/128', '192.0.2.7', '192.0.2.8'],
  ] as const) {
    t.true(isNetwork(text), text)
    t.true(ipAllowed(parseIpList([text]), inside), text)
    t.false(ipAllowed(parseIpList([text]), outside), text)
  }
  for (const text of ['::ffff:127.0.0.0/95', '::ffff:0:0/64']) t.false(isNetwork(text), text)
  t.true(isNetwork('::/0'))
})

test('an address is remembered by its network only', (t) => {
  t.is(networkOf('203.0.113.9'), '203.0.113.0/24')
  t.is(networkOf('::ffff:203.0.113.9'), '203.0.113.0/24')
  t.is(networkOf('2001:db8:1:2:3::4'), '2001:db8:1::/48')
  t.is(networkOf('somewhere'), 'unknown')
})

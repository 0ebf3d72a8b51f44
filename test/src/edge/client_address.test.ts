import test from 'ava'
import { fastify } from 'fastify'

import { countedAddress, readAddress, registerClientAddress } from '#src/edge/caller.ts'

const spellings: Readonly<Record<string, readonly string[]>> = {
  '192.0.2.4': [
    '192.0.2.4',
    ' 192.0.2.4\t',
    '192.0.2.4:5678',
    '192.0.2.4:',
    '"192.0.2.4"',
    '"192.0.2.4:443"',
    '192.000.002.004',
    '192.0.2.0000004:80',
    '::ffff:192.0.2.4',
    '::FFFF:c000:204',
    '0:0:0:0:0:ffff:192.0.2.4',
    '[::ffff:192.0.2.4]:443',
  ],
  '8.8.8.10': ['008.008.008.010'],
  '2001:db8::1': [
    '2001:db8::1',
    '2001:DB8:0:0::0001',
    '2001:0db8:0000:0000:0000:0000:0000:0001',
    '[2001:db8::1]',
    '[2001:db8::1]:443',
    '"[2001:db8::1]:443"',
    '"2001:db8::1"',
    '2001:db8::1%eth0',
    '[2001:db8::1%25eth0]:1',
  ],
  '::1': ['::1', '[::1]', '0::1', '[::1]:0'],
}

test('each spelling of an address is that address', (t) => {
  for (const [address, written] of Object.entries(spellings)) {
    for (const text of written) t.is(readAddress(text), address, text)
    t.is(readAddress(address), address, 'the form of an address is its own')
  }
})

test('what is no address is none', (t) => {
  const texts = ['', ' ', '""', 'unknown', '_hidden', 'localhost', '1.2.3', '127.1', '0x7f.0.0.1']
  const more = ['2130706433', '256.1.1.1', '1.2.3.4.5', '1.2.3.4:80:80', '1.2.3.4, 5', '[1.2', ':1']
  const broken = [
    '[::1',
    '::1]',
    '"1.2.3.4',
    '1:2',
    '[]',
    '::g',
    '１.2.3.4',
    '1.2.3.-4',
    '1.2.3.4/8',
  ]
  for (const text of [...texts, ...more, ...broken]) t.is(readAddress(text), undefined, text)
})

test('IPv6 addresses are counted by their /64, in any spelling', (t) => {
  t.is(countedAddress('2001:db8:0:1:ffff::2'), countedAddress('2001:db8:0:1::9'))
  t.not(countedAddress('2001:db8:0:2::1'), countedAddress('2001:db8:0:1::1'))
  t.is(countedAddress('192.0.2.4'), '192.0.2.4')
  t.is(countedAddress(''), '')
})

type Sent = { readonly from?: string; readonly forwarded?: string | string[] }

async function ipOf(trusted: readonly string[], { from, forwarded }: Sent): Promise<string> {
  const server = fastify({ trustProxy: [...trusted] })
  registerClientAddress(server, trusted)
  server.get('/', ({ ip }) => ip)
  const headers = { ...(forwarded !== undefined && { 'x-forwarded-for': forwarded }) }
  const { body } = await server.inject({ url: '/', remoteAddress: from ?? '10.0.0.1', headers })
  await server.close()
  return body
}

test('a trusted proxy is believed in every spelling, its client has one', async (t) => {
  const trusted = ['10.0.0.0/8', 'fd00::/8']
  for (const [address, written] of Object.entries(spellings)) {
    for (const text of written) t.is(await ipOf(trusted, { forwarded: text }), address, text)
  }
  const chains = {
    '203.0.113.9, 10.0.0.2:81': '203.0.113.9',
    '6.6.6.6, 203.0.113.9:1, "10.0.0.2", [fd00::1]:8, ::ffff:10.0.0.3': '203.0.113.9',
    '10.0.0.9': '10.0.0.9',
    // Of what a proxy wrongly passes on, its own address is left.
    unknown: '10.0.0.1',
    '6.6.6.6, unknown': '10.0.0.1',
    '6.6.6.6, evil, 10.0.0.2': '10.0.0.2',
    '': '10.0.0.1',
    ',,': '10.0.0.1',
  }
  for (const [forwarded, address] of Object.entries(chains)) {
    t.is(await ipOf(trusted, { forwarded }), address, forwarded)
  }
  t.is(await ipOf(trusted, { from: '::ffff:10.0.0.1', forwarded: '1.1.1.1:2' }), '1.1.1.1')
})

test('nobody else is believed, and a mapped address is an IPv4 one', async (t) => {
  for (const trusted of [[], ['192.0.2.0/24'], ['fd00::/8']]) {
    t.is(await ipOf(trusted, { forwarded: '1.1.1.1' }), '10.0.0.1')
    t.is(await ipOf(trusted, { from: '::ffff:10.0.0.1', forwarded: '1.1.1.1' }), '10.0.0.1')
  }
})

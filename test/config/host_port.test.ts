import test from 'ava'

import { hostPortOf, isHostPort } from '#config/host_port.ts'

test('host and port are written in one way', (t) => {
  const texts = {
    'http://example.org/': 'example.org:80',
    'https://EXAMPLE.org/path': 'example.org:443',
    'http://example.org:8080/': 'example.org:8080',
    'https://example.org:80/': 'example.org:80',
    'http://[2001:DB8:0::1]/': '[2001:db8::1]:80',
    'http://0x7f.1:9/': '127.0.0.1:9',
  }
  for (const [url, text] of Object.entries(texts)) {
    t.is(hostPortOf(new URL(url)), text)
    t.true(isHostPort(text), text)
  }
})

test('no other text is a host and port', (t) => {
  for (const text of [
    '',
    'example.org',
    ':80',
    'example.org:',
    'example.org:0080',
    'example.org:65536',
    'EXAMPLE.org:80',
    'user@example.org:80',
    'example.org:80/path',
    'http://example.org:80',
    '127.1:80',
    '::1:80',
    '[0:0::1]:80',
    ' example.org:80',
  ]) {
    t.false(isHostPort(text), text)
  }
})

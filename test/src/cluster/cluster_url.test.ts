import test from 'ava'
import { ClusterError } from '#src/cluster/cluster_error.ts'
import { parseClusterUrl } from '#src/cluster/cluster_url.ts'

test('servers are named by host and port', (t) => {
  t.deepEqual(parseClusterUrl('nats://a.example:4001, nats://b-2.example,nats://[::1]:4003'), {
    servers: ['a.example:4001', 'b-2.example:4222', '[::1]:4003'],
    isEncrypted: false,
  })
  t.deepEqual(parseClusterUrl('tls://10.0.0.1:4222'), {
    servers: ['10.0.0.1:4222'],
    isEncrypted: true,
  })
})

const wrong: Readonly<Record<string, RegExp>> = {
  '': /"" is not like nats:\/\/host:4222/,
  'nats://a,': /"" is not like/,
  'a.example:4222': /"a\.example:4222" is not like/,
  'http://a.example:4222': /is not like/,
  'nats://a.example/path': /is not like/,
  'nats://a.example:0': /has no possible port/,
  'nats://a.example:70000': /has no possible port/,
  'nats://a.example,tls://b.example': /mixes nats:\/\/ and tls:\/\//,
  [Array.from({ length: 17 }, () => 'nats://a').join(',')]: /names more than 16 servers/,
}

for (const [text, message] of Object.entries(wrong)) {
  test(`"${text.slice(0, 40)}" names no servers`, (t) => {
    const error = t.throws<ClusterError>(() => parseClusterUrl(text), {
      instanceOf: ClusterError,
      message,
    })
    t.is(error.code, 'cluster_url_malformed')
  })
}

test('a password in a URL is refused, and not repeated', (t) => {
  const error = t.throws(() => parseClusterUrl('nats://user:secret@a.example:4222'))
  t.regex(error.message, /"nats:\/\/…@a\.example:4222" is not like/)
})

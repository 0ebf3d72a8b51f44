import test from 'ava'
import { formatLogBanner, type LogFacts, logBannerJson } from '#src/cli/start/banner.ts'

const facts: LogFacts = {
  address: {
    host: '127.0.0.1',
    port: 3000,
    baseUrl: 'https://log.example.org',
    localUrl: 'http://127.0.0.1:3000',
  },
  dataDir: '/data',
  origin: 'log.example.org/log',
  vkey: 'log.example.org/log+01234567+key',
  warnings: ['This is a bare log: anyone who reaches it can add entries.'],
}

test('a start of a bare log shows its key and how an entry is added', (t) => {
  t.is(
    formatLogBanner(facts),
    `Arklog's bare log is ready at https://log.example.org/log

  data    /data
  log     log.example.org/log
  key     log.example.org/log+01234567+key
  look    http://127.0.0.1:3000/log/checkpoint

Add an entry. The answer is its leaf index, once a signed checkpoint covers it:

  curl -sS --data-binary 'an entry' http://127.0.0.1:3000/log/add

WARNING: This is a bare log: anyone who reaches it can add entries.
`,
  )
})

test('the JSON form says the same', (t) => {
  t.deepEqual(logBannerJson(facts), {
    base_url: 'https://log.example.org',
    local_url: 'http://127.0.0.1:3000',
    data_dir: '/data',
    origin: 'log.example.org/log',
    vkey: 'log.example.org/log+01234567+key',
    warnings: ['This is a bare log: anyone who reaches it can add entries.'],
  })
})

import test from 'ava'
import { loadConfig } from '#config/config.ts'
import { bannerJson, configWarnings, formatBanner, type StartFacts } from '#src/cli/start/banner.ts'

const facts: StartFacts = {
  address: {
    host: '127.0.0.1',
    port: 3000,
    baseUrl: 'https://ark.example.org',
    localUrl: 'http://127.0.0.1:3000',
  },
  dataDir: '/data',
  origin: 'ark.example.org/log',
  vkey: 'ark.example.org/log+01234567+key',
  firstKey: {
    key: 'svc_live_secret',
    owner: 'org:demo',
    scopes: ['works:read'],
    expires_at: '2026-11-22T00:00:00.000Z',
  },
  setupUrl: 'https://ark.example.org/auth/setup/once_token',
  warnings: ['The limit LIMIT_LOG is off.'],
}

test('a first start shows address, key, command and warnings', (t) => {
  t.is(
    formatBanner(facts),
    `Arklog is ready at https://ark.example.org

  data    /data
  log     ark.example.org/log
  key     ark.example.org/log+01234567+key
  docs    http://127.0.0.1:3000/docs

First key, for org:demo, valid until 2026-11-22T00:00:00.000Z and shown only now:

  svc_live_secret

Register a first work by pasting this:

  curl -sS http://127.0.0.1:3000/v1/works \\
    -H 'Authorization: Bearer svc_live_secret' \\
    -H 'Content-Type: application/json' \\
    -d '{"work_title":"Notes by the translator","work_type":"article",` +
      `"authors":"Ada Lovelace","work_url":"https://example.org/notes-by-the-translator"}'

Create the first administrator in a browser. This link works once:

  https://ark.example.org/auth/setup/once_token

WARNING: The limit LIMIT_LOG is off.
`,
  )
})

test('a later start shows how to make a key instead', (t) => {
  const later = { ...facts, firstKey: undefined, setupUrl: undefined, warnings: [] }
  const banner = formatBanner(later)
  t.regex(banner, /Create a key:\n\n {2}npm run -s arklog -- key create --owner org:demo/)
  t.notRegex(banner, /svc_live|curl|once_|WARNING/)
})

test('one that listens on all addresses is found where others find it', (t) => {
  const address = { ...facts.address, host: '0.0.0.0', localUrl: 'http://localhost:3000' }
  const banner = formatBanner({ ...facts, address })
  t.regex(banner, /docs {4}https:\/\/ark\.example\.org\/docs\n/)
  t.regex(banner, /curl -sS https:\/\/ark\.example\.org\/v1\/works/)
  t.notRegex(banner, /localhost/)
})

test('the JSON form says the same', (t) => {
  const json = bannerJson(facts)
  t.is(json['base_url'], 'https://ark.example.org')
  t.is(json['setup_url'], 'https://ark.example.org/auth/setup/once_token')
  t.deepEqual(json['first_key'], facts.firstKey)
  t.regex(String(json['first_curl']), /^curl -sS http:\/\/127\.0\.0\.1:3000\/v1\/works/)
  t.is(bannerJson({ ...facts, firstKey: undefined })['first_curl'], null)
})

test('a production configuration has no warnings', (t) => {
  t.deepEqual(configWarnings(loadConfig({ ARK_NAAN: '98765' })), [])
})

test('the example NAAN, lifted limits and an unnamed public server are warned of', (t) => {
  t.regex(configWarnings(loadConfig({})).join('\n'), /EXAMPLE NAAN, NOT FOR PRODUCTION/)
  const own = { ARK_NAAN: '98765' }
  t.deepEqual(configWarnings(loadConfig({ ...own, RATE_LIMITS: 'off', LIMIT_LOG: 'off' })), [
    'All rate limits are off (RATE_LIMITS).',
  ])
  t.deepEqual(configWarnings(loadConfig({ ...own, LIMIT_LOG: 'off', LIMIT_VERIFY: 'off' })), [
    'The limit LIMIT_VERIFY is off.',
    'The limit LIMIT_LOG is off.',
  ])
  t.regex(configWarnings(loadConfig({ ...own, HOST: '0.0.0.0' })).join(), /^BASE_URL is not set/)
})

test('private hosts that may be fetched are warned of, and that nothing is', (t) => {
  const settings = { ARK_NAAN: '98765', FETCH_ALLOW: 'files.intranet:8080,10.0.0.7:80' }
  t.deepEqual(configWarnings(loadConfig(settings)), [
    'Private hosts can be fetched (FETCH_ALLOW): files.intranet:8080, 10.0.0.7:80. Anyone who ' +
      'can register works can learn whether they answer, and the hashes of what they serve.',
  ])
  t.deepEqual(configWarnings(loadConfig({ ...settings, FETCH_CONTENT: 'off' })), [
    'No content is fetched or checked (FETCH_CONTENT).',
  ])
})

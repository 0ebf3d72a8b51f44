import { readFile } from 'node:fs/promises'
import test from 'ava'
import { ConfigError } from '#config/settings.ts'
import { adapterKeys, adapterWarnings, loadAdapterConfig } from '#config/oai_adapter.ts'
import { renderConfigTable } from '#test/config/_config_table.ts'

const needed = {
  SVC_URL: 'https://ark.example.org',
  SVC_API_KEY: 'svc_live_key',
  REPOSITORY_NAME: 'Works of Example',
  ADMIN_EMAIL: 'oai@example.org',
  BASE_URL: 'http://oai.example.org/harvest',
}

/** What is wrong with a configuration that adds to what is needed. */
function faultsOf(env: Record<string, string>, file?: string): string[] {
  try {
    loadAdapterConfig({ ...needed, ...env }, file)
  } catch (error) {
    if (error instanceof ConfigError) return error.faults.map(({ message }) => message)
    throw error
  }
  return []
}

test('what is needed gives a complete configuration', (t) => {
  const config = loadAdapterConfig(needed)
  t.like(config, { ...needed, MAX_RECORDS_PER_REQUEST: 250, RESUMPTION_TOKEN_TTL: 86_400 })
  t.is(config.ENABLE_SETS, true)
  t.is(config.METADATA_PREFIX, undefined)
  t.is(config.ORGANIZATION_FILTER, undefined)
})

test('all that is missing is told at once', (t) => {
  t.throws(() => loadAdapterConfig({}), {
    instanceOf: ConfigError,
    code: 'config_invalid',
    message: [
      'The configuration is not valid:',
      '- SVC_URL is not given, but must be https://host or http://host:port.',
      '- REPOSITORY_NAME is not given, but must be a name of up to 200 characters in one line.',
      '- ADMIN_EMAIL is not given, but must be a mail address such as oai@example.org, without ' +
        'mailto:.',
      '- BASE_URL is not given, but must be https://host or https://host/path.',
      '- Give either SVC_API_KEY or SVC_API_KEY_FILE, not both.',
    ].join('\n'),
  })
})

test('limits hold at both ends', (t) => {
  for (const [name, least, most] of [
    ['MAX_RECORDS_PER_REQUEST', 1, 1_000],
    ['RESUMPTION_TOKEN_TTL', 60, 31_536_000],
  ] as const) {
    const right = `a whole number from ${least} to ${most}`
    for (const value of [least, most]) t.deepEqual(faultsOf({ [name]: String(value) }), [])
    for (const value of [least - 1, most + 1]) {
      t.deepEqual(faultsOf({ [name]: String(value) }), [
        `${name} is ${value}, but must be ${right}.`,
      ])
    }
  }
})

test('the address of an administrator is one that validators accept', (t) => {
  for (const address of [
    'mailto:oai@example.org',
    'oai@localhost',
    'oai',
    'o@a',
    'ä@example.org',
  ]) {
    t.is(faultsOf({ ADMIN_EMAIL: address }).length, 1, address)
  }
})

test('addresses may have a path, and nothing after it', (t) => {
  for (const url of ['https://a.example/b/c', 'http://10.0.0.1:8080', 'https://a.example/']) {
    t.deepEqual(faultsOf({ BASE_URL: url, SVC_URL: url }), [])
  }
  for (const url of [
    'https://a.example?b',
    'https://me@a.example',
    'ftp://a.example',
    'a.example',
  ]) {
    t.is(faultsOf({ BASE_URL: url }).length, 1, url)
  }
  t.deepEqual(faultsOf({ SVC_URL: 'https://a.example:99999' }), [
    'SVC_URL is "https://a.example:99999", but must be an address that can be reached.',
  ])
})

test('the key is given once, and no message repeats it', (t) => {
  const one = 'Give either SVC_API_KEY or SVC_API_KEY_FILE, not both.'
  t.deepEqual(faultsOf({ SVC_API_KEY_FILE: '/run/secrets/key' }), [one])
  t.deepEqual(faultsOf({ SVC_API_KEY: '', SVC_API_KEY_FILE: '/run/secrets/key' }), [])
  t.deepEqual(faultsOf({ SVC_API_KEY: 'two words' }), [
    'SVC_API_KEY must be an API key: it has other characters.',
  ])
})

test('an unknown key points to the document that lists them', (t) => {
  t.deepEqual(faultsOf({}, '{"FROBNICATE": 1, "METADATA_PREFIXES": "oai_dc"}'), [
    'FROBNICATE is not a configuration key. docs/harvesting.md lists all keys.',
    'METADATA_PREFIXES is not a configuration key. Did you mean METADATA_PREFIX?',
  ])
})

test('what an operator should know is said', (t) => {
  t.deepEqual(adapterWarnings(loadAdapterConfig(needed), needed), [])
  const env = {
    ...needed,
    SVC_URL: 'http://registry:3000',
    METADATA_PREFIX: 'oai_datacite',
    LIMIT_OAI: 'off',
    ORGANISATION_FILTER: 'demo',
  }
  t.deepEqual(adapterWarnings(loadAdapterConfig(env), env), [
    'The environment has ORGANISATION_FILTER, which is not a key. Did you mean ' +
      'ORGANIZATION_FILTER?',
    'SVC_URL is http://registry:3000, so the key crosses the network unencrypted.',
    'METADATA_PREFIX excludes oai_dc, which OAI-PMH requires.',
    'Harvesters are not limited (LIMIT_OAI).',
  ])
})

test('the table in docs/harvesting.md is the one that the schema gives', async (t) => {
  const table = renderConfigTable(adapterKeys)
  t.true((await readFile('docs/harvesting.md', 'utf8')).includes(table), `\n${table}\n`)
})

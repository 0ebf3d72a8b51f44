import { readFile } from 'node:fs/promises'
import test from 'ava'
import { ConfigError } from '#config/settings.ts'
import { loadWitnessConfig, witnessKeys, witnessWarnings } from '#config/witness.ts'
import { renderConfigTable } from '#test/config/_config_table.ts'

/** What is wrong with a configuration. */
function faultsOf(env: Record<string, string>, file?: string): string[] {
  try {
    loadWitnessConfig(env, file)
  } catch (error) {
    if (error instanceof ConfigError) return error.faults.map(({ message }) => message)
    throw error
  }
  return []
}

test('a witness that has its name needs no configuration', (t) => {
  const config = loadWitnessConfig({})
  t.is(config.WITNESS_NAME, undefined)
  t.is(config.DATA_DIR, './witness-data')
  t.is(config.PORT, 3_002)
})

test('a name can name a key, and stand in a path', (t) => {
  for (const name of ['witness.example.org', 'witness.example.org/w1', 'localhost:3002/~me']) {
    t.deepEqual(faultsOf({ WITNESS_NAME: name }), [])
  }
  for (const name of ['two words', 'a+b', 'https://a.example?x', 'näme', '\t']) {
    t.is(faultsOf({ WITNESS_NAME: name }).length, 1, name)
  }
})

test('faults of addresses and ports are told at once', (t) => {
  t.deepEqual(
    faultsOf({ BASE_URL: 'https://a.example:99999', TRUST_PROXY: 'a', PORT: '5', ADMIN_PORT: '5' }),
    [
      'BASE_URL is "https://a.example:99999", but must be an address that can be reached.',
      'TRUST_PROXY has "a", but must have IP addresses or networks such as 10.0.0.0/8.',
      'ADMIN_PORT and PORT are both 5, but must differ.',
    ],
  )
  t.deepEqual(faultsOf({}, '{"FROBNICATE": 1}'), [
    'FROBNICATE is not a configuration key. docs/configuration.md lists all keys.',
  ])
})

test('what an operator should know is said', (t) => {
  t.deepEqual(witnessWarnings(loadWitnessConfig({}), {}), [])
  const env = { LIMIT_NEW_CHECKPOINTS: 'off' }
  t.deepEqual(witnessWarnings(loadWitnessConfig(env), env), [
    'Submissions are not limited (LIMIT_NEW_CHECKPOINTS).',
  ])
  const off = { RATE_LIMITS: 'off', WITNESS_NAMES: 'a' }
  t.deepEqual(witnessWarnings(loadWitnessConfig(off), off), [
    'The environment has WITNESS_NAMES, which is not a key. Did you mean WITNESS_NAME?',
    'Submissions are not limited (LIMIT_ADD_CHECKPOINT, LIMIT_NEW_CHECKPOINTS).',
  ])
})

test('docs/configuration.md has the table of a witness that the schema gives', async (t) => {
  const table = renderConfigTable(witnessKeys)
  t.true((await readFile('docs/configuration.md', 'utf8')).includes(table), `\n${table}\n`)
})

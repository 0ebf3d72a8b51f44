import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import test, { type ExecutionContext } from 'ava'

import { readUpstreamIssuers } from '#src/identity/oauth/upstream_login.ts'
import { makeTempDir } from '#test/log/_store_dir.ts'

const orcid = { id: 'orcid', name: 'ORCID', issuer: 'https://orcid.org', client_id: 'APP-1' }

async function write(t: ExecutionContext, value: unknown): Promise<string> {
  const folder = await makeTempDir(t)
  await writeFile(path.join(folder, 'secret'), 'hidden\n', { mode: 0o600 })
  await writeFile(path.join(folder, 'open'), 'hidden\n', { mode: 0o644 })
  const file = path.join(folder, 'issuers.json')
  await writeFile(file, typeof value === 'string' ? value : JSON.stringify(value))
  return file
}

test('a list is read with its secrets, and what is left out takes its default', async (t) => {
  const file = await write(t, [{ ...orcid, orcid: true, client_secret_file: 'secret' }])
  const [read] = await readUpstreamIssuers(file)
  t.deepEqual(read, { ...orcid, orcid: true, secret: 'hidden', scopes: ['openid'] })
})

const wrong: readonly (readonly [string, unknown, RegExp])[] = [
  ['no JSON', '{', /cannot be read as JSON/],
  ['no list', {}, /is not a list of issuers/],
  ['an unknown field', [{ ...orcid, secret: 'x' }], /is not a list of issuers/],
  ['an id twice', [orcid, orcid], /has the id "orcid" twice/],
  ['http', [{ ...orcid, issuer: 'http://orcid.org' }], /http:\/\/orcid.org, which is not https/],
]

for (const [name, value, message] of wrong) {
  test(`a list with ${name} is refused`, async (t) => {
    const file = await write(t, value)
    await t.throwsAsync(readUpstreamIssuers(file), { code: 'config_invalid', message })
  })
}

test('a secret that others may read is refused', async (t) => {
  const file = await write(t, [{ ...orcid, client_secret_file: 'open' }])
  await t.throwsAsync(readUpstreamIssuers(file), { code: 'secret_exposed' })
})

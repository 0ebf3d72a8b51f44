import fs from 'node:fs/promises'
import path from 'node:path'
import test, { type ExecutionContext } from 'ava'
import { readCredentials } from '#src/cluster/engine.ts'
import { makeTempDir } from '#test/log/_store_dir.ts'

async function secretFile(t: ExecutionContext, content: string): Promise<string> {
  const folder = await makeTempDir(t)
  const file = path.join(folder, 'credentials')
  await fs.writeFile(file, content, { mode: 0o600 })
  return file
}

test('a line is a user and a password, which may have colons', async (t) => {
  for (const end of ['', '\n', '\r\n']) {
    const file = await secretFile(t, `arklog:a:b c${end}`)
    t.deepEqual(await readCredentials(file), { user: 'arklog', pass: 'a:b c' })
  }
})

test('what nsc writes signs what the server asks', async (t) => {
  const creds = [
    '-----BEGIN NATS USER JWT-----',
    'e30.e30.e30',
    '------END NATS USER JWT------',
    '-----BEGIN USER NKEY SEED-----',
    'SUAIBDPBAUTWCWBKIO6XHQNINK5FWJW4OHLXC3HQ2KFE4PEJUA44CNHTC4',
    '------END USER NKEY SEED------',
    '',
  ].join('\n')
  const credentials = await readCredentials(await secretFile(t, creds))
  t.true('authenticator' in credentials)
})

for (const content of ['', 'arklog', 'arklog:', ':password', 'arklog:password\nmore\n']) {
  test(`${JSON.stringify(content)} is nobody`, async (t) => {
    const file = await secretFile(t, content)
    const error = await t.throwsAsync(readCredentials(file))
    t.is(error.message, `${file} is neither a NATS .creds file nor one line user:password.`)
  })
}

test('a file that others may read is refused', async (t) => {
  const file = await secretFile(t, 'arklog:password')
  await fs.chmod(file, 0o644)
  await t.throwsAsync(readCredentials(file), { code: 'secret_exposed' })
})

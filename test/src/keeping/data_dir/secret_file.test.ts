import { chmod, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import test, { type ExecutionContext } from 'ava'

import { readOrCreatePepper, readPepper } from '#src/identity/store/identity_store.ts'
import { createSecretFile, readSecretFile } from '#src/keeping/data_dir/secret_file.ts'

async function secretPath(t: ExecutionContext): Promise<string> {
  const dir = await mkdtemp(path.join(os.tmpdir(), 'arklog-'))
  t.teardown(() => rm(dir, { recursive: true }))
  return path.join(dir, 'secret')
}

test('a created secret is readable by its owner only, and reads back', async (t) => {
  const file = await secretPath(t)
  await createSecretFile(file, 'hush')
  t.is((await stat(file)).mode & 0o777, 0o600)
  t.is((await readSecretFile(file)).toString(), 'hush')
})

test('an existing secret is never overwritten', async (t) => {
  const file = await secretPath(t)
  await createSecretFile(file, 'first')
  await t.throwsAsync(createSecretFile(file, 'second'), { code: 'EEXIST' })
  t.is(await readFile(file, 'utf8'), 'first')
})

test('a secret that group or others can reach is refused with the chmod to run', async (t) => {
  const file = await secretPath(t)
  await createSecretFile(file, 'hush')
  for (const mode of [0o640, 0o604, 0o644, 0o620, 0o601, 0o666]) {
    await chmod(file, mode)
    const shown = `0${mode.toString(8)}`
    await t.throwsAsync(readSecretFile(file), {
      code: 'secret_exposed',
      message:
        `${file} is open to others than its owner (mode ${shown}): run "chmod 600 ${file}", ` +
        'and replace the secret if anyone may have read it',
    })
  }
  await chmod(file, 0o400)
  t.is((await readSecretFile(file)).toString(), 'hush')
})

test('a missing secret is named', async (t) => {
  const file = await secretPath(t)
  await t.throwsAsync(readSecretFile(file), {
    code: 'secret_missing',
    message: `${file} is missing: restore it from a backup`,
  })
})

test('a file too large to be a secret is not read', async (t) => {
  const file = await secretPath(t)
  await writeFile(file, new Uint8Array(64 * 1024 + 1), { mode: 0o600 })
  await t.throwsAsync(readSecretFile(file), {
    code: 'secret_malformed',
    message: `${file} is too large to be a secret`,
  })
})

test('a pepper is made once and read afterwards', async (t) => {
  const file = await secretPath(t)
  const pepper = await readOrCreatePepper(file, (bytes) => new Uint8Array(bytes).fill(7))
  t.is(await readFile(file, 'utf8'), `${'07'.repeat(32)}\n`)
  const again = await readOrCreatePepper(file, () => {
    throw new Error('a second pepper')
  })
  t.deepEqual(Buffer.from(again), Buffer.from(pepper))
})

test('a pepper that is not 64 hex digits on a line is refused', async (t) => {
  const file = await secretPath(t)
  for (const content of ['', '07'.repeat(32), `${'07'.repeat(31)}\n`, `${'0G'.repeat(32)}\n`]) {
    await writeFile(file, content, { mode: 0o600 })
    await t.throwsAsync(readPepper(file), {
      code: 'secret_malformed',
      message: `${file} must hold one line of 64 lower-case hex digits`,
    })
  }
})

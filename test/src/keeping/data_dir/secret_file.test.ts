import { execFile } from 'node:child_process'
import fs from 'node:fs/promises'
import { chmod, readFile, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import test from 'ava'
import type { ExecutionContext } from 'ava'

import { readOrCreatePepper, readPepper } from '#src/identity/store/identity_store.ts'
import { createSecretFile, makePrivate, readSecretFile } from '#src/keeping/data_dir/secret_file.ts'
import { makeTempDir } from '#test/log/_store_dir.ts'

async function secretPath(t: ExecutionContext): Promise<string> {
  return path.join(await makeTempDir(t), 'secret')
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
        'and replace the secret if anyone can have read it',
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

async function modeOf(...names: readonly string[]): Promise<number> {
  return (await fs.lstat(path.join(...names))).mode & 0o7777
}

async function write(file: string, mode: number): Promise<void> {
  await fs.mkdir(path.dirname(file), { recursive: true })
  await fs.writeFile(file, 'x')
  await fs.chmod(file, mode)
}

test('what is open to others is closed, and named', async (t) => {
  const dir = await makeTempDir(t)
  await write(path.join(dir, 'live', '000003.log'), 0o644)
  await write(path.join(dir, 'live', 'CURRENT'), 0o600)
  await write(path.join(dir, 'read_only'), 0o444)
  await fs.chmod(path.join(dir, 'live'), 0o2775)
  await fs.chmod(dir, 0o755)
  t.is(
    await makePrivate(dir, []),
    'Other users of this machine could reach parts of the data directory, and no longer can: ' +
      `${dir} (0755), live (2775), live/000003.log (0644), read_only (0444). ` +
      'Anything that they may have read is no longer secret.',
  )
  t.is(await modeOf(dir), 0o700)
  t.is(await modeOf(dir, 'live'), 0o2700)
  t.is(await modeOf(dir, 'live', '000003.log'), 0o600)
  t.is(await modeOf(dir, 'read_only'), 0o400)
  t.is(await makePrivate(dir, []), undefined)
})

test('many are counted', async (t) => {
  const dir = await makeTempDir(t)
  const names = Array.from({ length: 9 }, (_, nth) => path.join(dir, `${nth}.sst`))
  await Promise.all(names.map((file) => write(file, 0o640)))
  const warning = await makePrivate(dir, [])
  t.regex(warning ?? '', /: (?:\d\.sst \(0640\), ){4}\d\.sst \(0640\) and 4 others\. /)
  for (const file of names) t.is(await modeOf(file), 0o600)
})

test('an open secret stays as it is, for whoever reads it to refuse', async (t) => {
  const dir = await makeTempDir(t)
  const [keys, token] = [path.join(dir, 'keys'), path.join(dir, 'token.key')]
  await write(path.join(keys, 'old', 'live-log.pem'), 0o644)
  await write(token, 0o604)
  await fs.chmod(keys, 0o755)
  t.regex((await makePrivate(dir, [keys, token])) ?? '', /: keys \(0755\), keys\/old \(07\d\d\)\. /)
  t.is(await modeOf(keys), 0o700)
  t.is(await modeOf(keys, 'old', 'live-log.pem'), 0o644)
  t.is(await modeOf(token), 0o604)
})

test('what a link leads to is not the data directory', async (t) => {
  const [dir, elsewhere] = [await makeTempDir(t), await makeTempDir(t)]
  const file = path.join(elsewhere, 'certificate.pem')
  await write(file, 0o644)
  await fs.symlink(file, path.join(dir, 'link'))
  await fs.symlink(dir, path.join(dir, 'loop'))
  t.is(await makePrivate(dir, []), undefined)
  t.is(await modeOf(file), 0o644)
})

const title = 'a folder of another user is refused, with what its owner can do'
const nobody = 65_534

if (process.getuid?.() === 0) {
  test(title, async (t) => {
    const dir = await makeTempDir(t)
    await fs.chmod(dir, 0o777)
    const module = new URL('../../../../src/keeping/data_dir/secret_file.ts', import.meta.url).href
    const script = `
      const { makePrivate } = await import(${JSON.stringify(module)})
      await makePrivate(${JSON.stringify(dir)}, []).catch((error) => {
        console.log(JSON.stringify({ code: error.code, message: error.message }))
      })`
    const args = ['--input-type=module', '--eval', script]
    const { stdout } = await promisify(execFile)(process.execPath, args, { uid: nobody })
    t.deepEqual(JSON.parse(stdout), {
      code: 'data_dir_exposed',
      message:
        `${dir} is open to other users of this machine (mode 0777), and this process may not ` +
        `change that. Run "chmod -R go-rwx ${dir}" as its owner, or set DATA_DIR to a folder in ` +
        'it that is not there yet, which is then made for this process alone.',
    })
    t.is(await modeOf(dir), 0o777)
  })
} else {
  test.skip(`${title} (skipped: only root can act as two users)`, () => undefined)
}

import { execFile } from 'node:child_process'
import fs from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import test, { type ExecutionContext } from 'ava'

import { makePrivate } from '#src/keeping/data_dir/secret_file.ts'

async function newFolder(t: ExecutionContext): Promise<string> {
  const dir = await fs.mkdtemp(path.join(os.tmpdir(), 'arklog-'))
  t.teardown(() => fs.rm(dir, { recursive: true }))
  return dir
}

async function modeOf(...names: readonly string[]): Promise<number> {
  return (await fs.lstat(path.join(...names))).mode & 0o7777
}

async function write(file: string, mode: number): Promise<void> {
  await fs.mkdir(path.dirname(file), { recursive: true })
  await fs.writeFile(file, 'x')
  await fs.chmod(file, mode)
}

test('what is open to others is closed, and named', async (t) => {
  const dir = await newFolder(t)
  await write(path.join(dir, 'live', '000003.log'), 0o644)
  await write(path.join(dir, 'live', 'CURRENT'), 0o600)
  await write(path.join(dir, 'read_only'), 0o444)
  await fs.chmod(path.join(dir, 'live'), 0o2775)
  await fs.chmod(dir, 0o755)
  t.is(
    await makePrivate(dir, []),
    'Other users of this machine could reach parts of the data directory, and no longer can: ' +
      `${dir} (0755), live (2775), live/000003.log (0644), read_only (0444). ` +
      'What they may have read is no secret any more.',
  )
  t.is(await modeOf(dir), 0o700)
  t.is(await modeOf(dir, 'live'), 0o2700)
  t.is(await modeOf(dir, 'live', '000003.log'), 0o600)
  t.is(await modeOf(dir, 'read_only'), 0o400)
  t.is(await makePrivate(dir, []), undefined)
})

test('many are counted', async (t) => {
  const dir = await newFolder(t)
  const names = Array.from({ length: 9 }, (_, nth) => path.join(dir, `${nth}.sst`))
  await Promise.all(names.map((file) => write(file, 0o640)))
  const warning = await makePrivate(dir, [])
  t.regex(warning ?? '', /: (?:\d\.sst \(0640\), ){4}\d\.sst \(0640\) and 4 others\. /)
  for (const file of names) t.is(await modeOf(file), 0o600)
})

test('an open secret stays as it is, for whoever reads it to refuse', async (t) => {
  const dir = await newFolder(t)
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
  const [dir, elsewhere] = [await newFolder(t), await newFolder(t)]
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
    const dir = await newFolder(t)
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

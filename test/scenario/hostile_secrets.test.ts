import fs from 'node:fs/promises'
import path from 'node:path'
import test from 'ava'

import {
  firstKey,
  newDataDir,
  newWork,
  runArklog,
  type Settings,
  startServer,
} from '#test/scenario/_process.ts'
import { request } from '#test/scenario/_request.ts'
import { share } from '#test/scenario/_shared_server.ts'

/** What each secret says when it is not the one the registry was started with. */
const exchanged = [
  { name: 'live-log.pem', error: 'key_file_changed', message: /is not the key this data dir/ },
  { name: 'live-receipt.pem', error: 'key_file_changed', message: /is not the key this data dir/ },
  {
    name: 'api-keys.pepper',
    error: 'secret_mismatch',
    message: /is not the pepper this store was made with/,
  },
]

/** A registry that was started once. */
const others = share(async (owner): Promise<Settings> => {
  const settings = { DATA_DIR: await newDataDir(owner), LOG_LEVEL: 'silent' }
  await (await startServer(owner, settings)).end('SIGTERM')
  return settings
})

test.serial('50: a second start with other keys or another pepper is refused', async (t) => {
  const settings: Settings = { DATA_DIR: await newDataDir(t), LOG_LEVEL: 'silent' }
  const first = await startServer(t, settings)
  const key = firstKey(first)
  await first.end('SIGTERM')

  for (const { name, error, message } of exchanged) {
    const file = path.join(settings['DATA_DIR'] ?? '', 'keys', name)
    const own = await fs.readFile(file)
    const other = await fs.readFile(path.join(others()['DATA_DIR'] ?? '', 'keys', name))
    await fs.writeFile(file, other)
    const { code, stderr } = await runArklog(t, ['serve', '--json'], settings)
    t.is(code, 1, name)
    const refusal = JSON.parse(stderr) as { error: string; message: string }
    t.is(refusal.error, error)
    t.true(refusal.message.startsWith(file), refusal.message)
    t.regex(refusal.message, message)
    t.deepEqual(await fs.readFile(file), other, 'nothing was overwritten')
    await fs.writeFile(file, own)
  }

  // With its own secrets it is the same registry as ever, which knows its keys.
  const again = await startServer(t, settings)
  const minted = await request(again, '/v1/works', { key, body: newWork('By the first key') })
  t.is(minted.status, 201)
})

test.serial('51: a pepper that others can read is refused, as a key file is', async (t) => {
  const settings = others()
  const file = path.join(settings['DATA_DIR'] ?? '', 'keys', 'api-keys.pepper')
  await fs.chmod(file, 0o604)
  const { code, stderr } = await runArklog(t, ['serve'], settings)
  t.is(code, 1)
  t.is(
    stderr,
    `arklog: ${file} is open to others than its owner (mode 0604): run "chmod 600 ${file}", ` +
      'and replace the secret if anyone can have read it\n',
  )
})

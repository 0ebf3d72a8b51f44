import { randomInt } from 'node:crypto'
import { existsSync } from 'node:fs'
import fs from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import test from 'ava'

import { countOf } from '#test/long/_full_counts.ts'
import {
  call,
  firstKey,
  newDataDir,
  newWork,
  runArklog,
  runJson,
  spawnArklog,
  startServer,
} from '#test/scenario/_process.ts'

const kills = countOf({ few: 3, full: 20 })
const works = 30
const newerWorks = 300

test.serial(`a restore killed ${kills} times leaves nothing, or the whole registry`, async (t) => {
  t.timeout(30 * 60_000)
  const settings = { DATA_DIR: await newDataDir(t), SEARCH: 'off', LIMIT_WORKS_CREATE: 'off' }
  const server = await startServer(t, settings)
  for (let nth = 0; nth < works; nth += 1) {
    await call(server, '/v1/works', { key: firstKey(server), body: newWork(`Work ${nth}`) })
  }
  const folder = path.dirname(settings.DATA_DIR)
  const target = path.join(folder, 'backups')
  await runJson(t, ['backup', target], settings)
  for (let nth = 0; nth < newerWorks; nth += 1) {
    await call(server, '/v1/works', { key: firstKey(server), body: newWork(`Newer work ${nth}`) })
  }
  // What the backup does not have, a mirror has of the log.
  const copy = path.join(folder, 'copy')
  const mirror = ['--vkey', server.started.vkey, '--dir', copy]
  const mirrored = await runArklog(t, ['mirror', `${server.started.local_url}/log`, ...mirror], {})
  t.is(mirrored.code, 0, mirrored.stderr)
  await server.end('SIGTERM')

  const restore = ['restore', target, '--recover', copy]
  const measured = { ...settings, DATA_DIR: await newDataDir(t) }
  const startMs = performance.now()
  await runJson(t, restore, measured)
  const wholeMs = Math.ceil(performance.now() - startMs)

  const own = { ...settings, DATA_DIR: await newDataDir(t) }
  let whole = 0
  for (let kill = 0; kill < kills; kill += 1) {
    const restoring = spawnArklog(t, restore, own)
    await Promise.race([sleep(randomInt(wholeMs)), restoring.ended])
    await restoring.end('SIGKILL')
    if (!existsSync(path.join(own.DATA_DIR, 'instance.json'))) continue
    whole += 1
    const audit = await runArklog(t, ['audit'], own)
    t.is(audit.code, 0, audit.stderr)
    t.true(audit.stdout.includes(`${works + newerWorks} entries`), audit.stdout)
    // The next one begins with nothing again.
    await fs.rm(own.DATA_DIR, { recursive: true })
  }
  t.log(`${kills} kills within ${wholeMs} ms, of which ${whole} came too late to keep it`)
  if (!existsSync(own.DATA_DIR) || !existsSync(path.join(own.DATA_DIR, 'instance.json'))) {
    const { tree_size: size } = await runJson<{ tree_size: number }>(t, restore, own)
    t.is(size, works + newerWorks)
  }
})

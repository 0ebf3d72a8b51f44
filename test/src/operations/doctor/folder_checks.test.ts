import fs from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import test, { type ExecutionContext } from 'ava'

import { writeInstance } from '#src/keeping/data_dir/instance.ts'
import { runChecks } from '#src/operations/doctor/finding.ts'
import { type Disk, folderChecks } from '#src/operations/doctor/checks.ts'

async function newDisk(t: ExecutionContext): Promise<Disk> {
  const folder = await fs.mkdtemp(path.join(os.tmpdir(), 'arklog-doctor-'))
  t.teardown(() => fs.rm(folder, { recursive: true }))
  const dataDir = path.join(folder, 'data')
  return { dataDir, keysDir: path.join(dataDir, 'keys'), reserveBytes: 1 }
}

async function withRegistry(t: ExecutionContext): Promise<Disk> {
  const disk = await newDisk(t)
  await fs.mkdir(disk.keysDir, { recursive: true, mode: 0o700 })
  await fs.chmod(disk.dataDir, 0o700)
  const created_at = '2026-01-01T00:00:00.000Z'
  const logs = { live: { origin: 'registry.example/log', log_public_key: 'ab'.repeat(32) } }
  const kind = 'registry'
  await writeInstance(disk.dataDir, { schema: 1, kind, created_at, stores: 'created', logs })
  await fs.writeFile(path.join(disk.keysDir, 'live-log.pem'), 'secret', { mode: 0o600 })
  return disk
}

/** What is found, as `check state`, and all that is said. */
async function look(disk: Disk) {
  const findings = await runChecks(folderChecks(disk))
  return {
    states: findings.map(({ check, state }) => `${check} ${state}`),
    said: findings.map(({ message }) => message).join('\n'),
  }
}

test('a registry that is as it should be is well', async (t) => {
  const { states } = await look(await withRegistry(t))
  t.deepEqual(states, ['data good', 'keys good', 'disk good'])
})

test('a folder that is not there yet is told, and nothing is made', async (t) => {
  const disk = await newDisk(t)
  const { states, said } = await look(disk)
  t.deepEqual(states, ['data warning', 'keys warning', 'disk good'])
  t.regex(said, /its disk is not mounted/)
  await t.throwsAsync(fs.stat(disk.dataDir), { code: 'ENOENT' })
})

test('what others can read, and a full disk are told', async (t) => {
  const disk = await withRegistry(t)
  await fs.chmod(path.join(disk.keysDir, 'live-log.pem'), 0o640)
  await fs.chmod(disk.dataDir, 0o750)
  const { states, said } = await look({ ...disk, reserveBytes: Number.MAX_SAFE_INTEGER })
  t.deepEqual(states, ['data warning', 'keys bad', 'disk bad'])
  t.regex(said, /chmod -R go-rwx/)
  t.regex(said, /chmod 600 .*live-log\.pem/)
  t.regex(said, /nothing is registered any more/)
})

test('a disk that will soon be full is told before', async (t) => {
  const disk = await withRegistry(t)
  const { bavail, bsize } = await fs.statfs(disk.dataDir)
  const { states } = await look({ ...disk, reserveBytes: Math.floor((bavail * bsize) / 4) })
  t.true(states.includes('disk warning'))
})

test('the folder of something else is no registry', async (t) => {
  const disk = await withRegistry(t)
  const file = path.join(disk.dataDir, 'instance.json')
  const instance = JSON.parse(await fs.readFile(file, 'utf8')) as object
  await fs.writeFile(file, JSON.stringify({ ...instance, kind: 'log' }))
  t.true((await look(disk)).states.includes('data bad'))
  await fs.writeFile(file, 'nonsense')
  t.true((await look(disk)).states.includes('data bad'))
})

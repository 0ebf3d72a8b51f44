import fs from 'node:fs/promises'
import path from 'node:path'
import test, { type ExecutionContext } from 'ava'
import {
  type DataDir,
  type DataDirOptions,
  logOrigin,
  openDataDir,
} from '#src/keeping/data_dir/data_dir.ts'
import { StartError } from '#src/keeping/data_dir/start_error.ts'
import { makeTempDir } from '#test/log/_store_dir.ts'

async function newOptions(t: ExecutionContext): Promise<DataDirOptions> {
  const dir = await makeTempDir(t)
  const dataDir = path.join(dir, 'data')
  return {
    dataDir,
    keysDir: path.join(dataDir, 'keys'),
    kind: 'registry',
    origin: 'ark.example.org/log',
    originIsExplicit: false,
  }
}

async function readInstanceFile(options: DataDirOptions): Promise<Record<string, unknown>> {
  const text = await fs.readFile(path.join(options.dataDir, 'instance.json'), 'utf8')
  return JSON.parse(text) as Record<string, unknown>
}

const firstMs = Date.UTC(2026, 10, 21)

/** Opens a data directory, which is begun at the time of the tests. */
function openDir(options: DataDirOptions, nowMs = firstMs): Promise<DataDir> {
  return openDataDir(options, () => nowMs)
}

/** Opens a data directory as a process does that ends at once. */
async function useDataDir(options: DataDirOptions, nowMs = firstMs): Promise<DataDir> {
  const dataDir = await openDir(options, nowMs)
  dataDir.release()
  return dataDir
}

test('a first start makes four keys and an instance file, all before any store', async (t) => {
  const options = await newOptions(t)
  const dataDir = await useDataDir(options)
  t.true(dataDir.creating)
  t.is(dataDir.logs.get('live')?.origin, 'ark.example.org/log')
  t.is(dataDir.logs.get('sandbox')?.origin, 'ark.example.org/sandbox/log')
  const files = (await fs.readdir(options.keysDir)).sort()
  t.deepEqual(files, ['live-log.pem', 'live-receipt.pem', 'sandbox-log.pem', 'sandbox-receipt.pem'])
  for (const file of files) {
    const { mode } = await fs.stat(path.join(options.keysDir, file))
    t.is(mode & 0o777, 0o600, file)
  }
  t.is((await fs.stat(options.keysDir)).mode & 0o777, 0o700)
  const keys = [...dataDir.logs.values()].flatMap((log) => [
    log.keys.log,
    log.keys.receipt?.choose(undefined),
  ])
  const publicKeys = keys.map((key) => Buffer.from(key?.publicKey ?? []).toString('hex'))
  t.is(new Set(publicKeys).size, 4)
  const instance = await readInstanceFile(options)
  t.is(instance['kind'], 'registry')
  t.is(instance['stores'], 'creating')
  t.is(instance['created_at'], '2026-11-21T00:00:00.000Z')
})

test('a first start that was cut short goes on with the same keys', async (t) => {
  const options = await newOptions(t)
  const first = await useDataDir(options)
  const second = await useDataDir(options)
  t.true(second.creating)
  t.deepEqual(
    second.logs.get('live')?.keys.log.publicKey,
    first.logs.get('live')?.keys.log.publicKey,
  )
  await fs.rm(path.join(options.dataDir, 'instance.json'))
  const third = await useDataDir(options)
  t.deepEqual(
    third.logs.get('live')?.keys.log.publicKey,
    first.logs.get('live')?.keys.log.publicKey,
  )
})

test('once the stores are there, they may not be created again', async (t) => {
  const options = await newOptions(t)
  const first = await useDataDir(options)
  await first.finishCreation()
  const second = await useDataDir(options, firstMs + 1)
  t.false(second.creating)
  const instance = await readInstanceFile(options)
  t.is(instance['stores'], 'created')
  t.is(instance['created_at'], '2026-11-21T00:00:00.000Z')
})

const rounds = 8

test('of two first starts at one moment one goes on and the other is told so', async (t) => {
  for (let round = 0; round < rounds; round += 1) {
    const options = await newOptions(t)
    const starts = await Promise.allSettled([openDir(options), openDir(options)])
    const refusals = starts.filter((start) => start.status === 'rejected')
    t.deepEqual(
      refusals.map(({ reason }) => [reason instanceof StartError, reason.code, reason.message]),
      [[true, 'data_dir_held', heldMessage(options)]],
    )
    const [held] = starts.filter((start) => start.status === 'fulfilled')
    t.true(held?.value.creating)
    held?.value.release()
    await t.notThrowsAsync(useDataDir(options), 'what was released can be held again')
  }
})

function heldMessage({ dataDir }: DataDirOptions): string {
  return (
    `Another process uses the data directory ${dataDir}, perhaps a server that is just starting. ` +
    'Stop that one first, or set DATA_DIR to another folder: a data directory has one owner.'
  )
}

test('a lock file that is none is refused, and nothing is begun', async (t) => {
  const options = await newOptions(t)
  await fs.mkdir(path.join(options.dataDir, 'lock'), { recursive: true })
  await t.throwsAsync(openDir(options), {
    instanceOf: StartError,
    code: 'data_dir_unusable',
    message: /data\/lock cannot be locked \(unable to open database file\)\. Check that its disk/,
  })
  t.deepEqual(await fs.readdir(options.dataDir), ['lock'])
})

test('the origin of the first start stays, unless another is demanded', async (t) => {
  const options = await newOptions(t)
  await useDataDir(options)
  const moved = { ...options, origin: 'other.example.org/log' }
  const dataDir = await useDataDir(moved)
  t.is(dataDir.logs.get('live')?.origin, 'ark.example.org/log')
  await t.throwsAsync(openDir({ ...moved, originIsExplicit: true }), {
    instanceOf: StartError,
    code: 'instance_origin',
    message:
      `ORIGIN is other.example.org/log, but the log in ${options.dataDir} was started as ` +
      'ark.example.org/log and a log keeps its origin forever. Remove ORIGIN, or set it to the ' +
      'latter.',
  })
  await t.notThrowsAsync(useDataDir({ ...options, originIsExplicit: true }))
})

test('a bare log and a registry do not open each other’s folders', async (t) => {
  const registry = await newOptions(t)
  await useDataDir(registry)
  await t.throwsAsync(openDir({ ...registry, kind: 'log' }), {
    instanceOf: StartError,
    code: 'instance_kind',
    message:
      `${registry.dataDir} holds a registry. ` +
      'Start it without --log-only, or set DATA_DIR to another folder for the bare log.',
  })
  const log: DataDirOptions = { ...(await newOptions(t)), kind: 'log' }
  const dataDir = await useDataDir(log)
  t.deepEqual([...dataDir.logs.keys()], ['log'])
  t.deepEqual(await fs.readdir(log.keysDir), ['log-log.pem'])
  await t.throwsAsync(openDir({ ...log, kind: 'registry' }), {
    instanceOf: StartError,
    code: 'instance_kind',
    message:
      `${log.dataDir} holds a bare log. ` +
      'Start it with --log-only, or set DATA_DIR to another folder for the registry.',
  })
})

test('stores without their instance file are refused', async (t) => {
  const options = await newOptions(t)
  await useDataDir(options)
  await fs.mkdir(path.join(options.dataDir, 'live'))
  await fs.rm(path.join(options.dataDir, 'instance.json'))
  await t.throwsAsync(openDir(options), {
    instanceOf: StartError,
    code: 'instance_missing',
    message:
      `${options.dataDir} holds live but no instance.json. Restore that file from a backup, ` +
      'or set DATA_DIR to an empty folder to start over.',
  })
})

test('an instance file that says something else is refused', async (t) => {
  const options = await newOptions(t)
  await useDataDir(options)
  const file = path.join(options.dataDir, 'instance.json')
  const good = await fs.readFile(file, 'utf8')
  for (const bad of [
    '',
    '{',
    '{}',
    good.replace('"schema": 1', '"schema": 2'),
    good.slice(0, -9),
  ]) {
    await fs.writeFile(file, bad)
    await t.throwsAsync(openDir(options), {
      instanceOf: StartError,
      code: 'instance_malformed',
      message:
        `${file} is not the instance file of this version of Arklog. Restore it from a backup; ` +
        'it holds the names and public keys of what is in this data directory.',
    })
  }
})

test('the origin is host and port, then /log', (t) => {
  t.is(logOrigin('https://ark.example.org'), 'ark.example.org/log')
  t.is(logOrigin('https://ark.example.org:8443'), 'ark.example.org:8443/log')
  t.is(logOrigin('http://[::1]:3000'), '[::1]:3000/log')
})

test('a key file that others can read is refused with the command that closes it', async (t) => {
  const options = await newOptions(t)
  await useDataDir(options)
  const file = path.join(options.keysDir, 'live-log.pem')
  await fs.chmod(file, 0o644)
  await t.throwsAsync(openDir(options), {
    instanceOf: StartError,
    code: 'secret_exposed',
    message: new RegExp(`run "chmod 600 ${file}"`),
  })
})

test('a missing key file is refused, never made anew', async (t) => {
  const options = await newOptions(t)
  await useDataDir(options)
  const file = path.join(options.keysDir, 'sandbox-receipt.pem')
  await fs.rm(file)
  await t.throwsAsync(openDir(options), {
    instanceOf: StartError,
    code: 'secret_missing',
    message: `${file} is missing: restore it from a backup`,
  })
})

test('another key in a key file is refused', async (t) => {
  const options = await newOptions(t)
  await useDataDir(options)
  const file = path.join(options.keysDir, 'live-log.pem')
  await fs.copyFile(path.join(options.keysDir, 'live-receipt.pem'), file)
  await t.throwsAsync(openDir(options), {
    instanceOf: StartError,
    code: 'key_file_changed',
    message:
      /live-log\.pem is not the key .* key is [0-9a-f]{64}, but must be [0-9a-f]{64}\. Restore/,
  })
})

test('a key file that holds no key is refused', async (t) => {
  const options = await newOptions(t)
  await useDataDir(options)
  const file = path.join(options.keysDir, 'live-log.pem')
  await fs.writeFile(file, 'secret')
  await t.throwsAsync(openDir(options), {
    instanceOf: StartError,
    code: 'key_file_malformed',
    message: /live-log\.pem is not an Ed25519 private key in PEM form/,
  })
})

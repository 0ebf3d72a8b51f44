import * as fs from 'node:fs/promises'
import * as path from 'node:path'

import test, { type ExecutionContext } from 'ava'

import { signCheckpoint } from '#log/tlog/checkpoint.ts'
import { ed25519Keys, noteSigner } from '#log/tlog/ed25519.ts'
import { HeadGuard } from '#log/store/guard.ts'
import type { LogReader } from '#log/store/log_reader.ts'
import { openMemoryStore } from '#test/contracts/_memory_store.ts'
import { growLog, origin, signer, verifier } from '#test/log/_log.ts'
import { makeTempDir } from '#test/log/_store_dir.ts'

function logOf(...sizes: readonly number[]): Promise<LogReader> {
  return growLog(openMemoryStore(), sizes)
}

const small = await logOf(300)

async function guardPath(t: ExecutionContext): Promise<string> {
  return path.join(await makeTempDir(t), 'live.head')
}

function checkOnce(file: string, log: LogReader): void {
  const guard = new HeadGuard(file, verifier)
  try {
    guard.check(log)
  } finally {
    guard.close()
  }
}

test('a guard accepts the log it has seen, and one that has grown', async (t) => {
  const file = await guardPath(t)
  checkOnce(file, await logOf())
  checkOnce(file, await logOf(9))
  checkOnce(file, await logOf(9))
  checkOnce(file, await logOf(9, 300, 1_000))
  t.regex(await fs.readFile(file, 'utf8'), /^log\.example\/test\n1000\n/)
})

test('a log that is shorter than what was remembered is log_rolled_back', async (t) => {
  const file = await guardPath(t)
  const guard = new HeadGuard(file, verifier)
  guard.check(await logOf(300))
  guard.remember((await logOf(300, 301)).head().checkpoint)
  guard.close()
  t.throws(() => checkOnce(file, small), {
    code: 'log_rolled_back',
    message:
      /^the store holds 300 entries, but a checkpoint of 301 was signed \(.*live\.head\): it is/,
  })
  checkOnce(file, await logOf(301))
})

test('another history of the same log is log_inconsistent, at equal size and beyond', async (t) => {
  const file = await guardPath(t)
  const forged = signCheckpoint({ origin, treeSize: 300, rootHash: new Uint8Array(32) }, signer)
  await fs.writeFile(file, forged)
  const expected = {
    code: 'log_inconsistent',
    message: /^the store has another root for 300 entries than the checkpoint signed for them/,
  }
  t.throws(() => checkOnce(file, small), expected)
  const longer = await logOf(300, 700)
  t.throws(() => checkOnce(file, longer), expected)
  t.is(await fs.readFile(file, 'utf8'), forged, 'the evidence stays')
})

test('a guard that the key did not sign is refused, and says what to do', async (t) => {
  const stranger = noteSigner(origin, ed25519Keys.generate())
  const { checkpoint } = small.head()
  const wrong = [
    signCheckpoint({ origin, treeSize: 1, rootHash: new Uint8Array(32) }, stranger),
    checkpoint.slice(0, 40),
    'x',
    '\0'.repeat(4096),
  ]
  for (const text of wrong) {
    const file = await guardPath(t)
    await fs.writeFile(file, text)
    t.throws(() => checkOnce(file, small), {
      code: 'log_inconsistent',
      message: /live\.head is not a checkpoint that this log's key has signed: put back the file/,
    })
  }
})

test('a guard file that is missing or empty is begun', async (t) => {
  const file = await guardPath(t)
  await fs.writeFile(file, '')
  checkOnce(file, small)
  t.regex(await fs.readFile(file, 'utf8'), /\n300\n/)
  t.is((await fs.stat(file)).size, 4096, 'it has its full size at once')
})

test('a guard that cannot be written is store_failed', async (t) => {
  const dir = await makeTempDir(t)
  t.throws(() => new HeadGuard(dir, verifier), {
    code: 'store_failed',
    message: /^the guard file .* cannot be used: EISDIR.*: check the disk and the permissions/,
  })
})

import * as fs from 'node:fs/promises'
import * as path from 'node:path'

import test, { type ExecutionContext } from 'ava'

import { audit } from '#log/store/audit.ts'
import type { LogHead } from '#log/store/commit.ts'
import { LogError } from '#log/tlog/errors.ts'
import { joinLevelStore, openLevelStore } from '#log/store/level_store.ts'
import type { Store } from '#log/store/store.ts'
import { openLog } from '#log/store/open_log.ts'
import { append, existing, logOptions, origin, verifier } from '#test/log/_log.ts'
import { mountSmallDisk } from '#test/log/_small_disk.ts'
import { until } from '#test/_until.ts'

const diskBytes = 6_000_000

const tried = mountSmallDisk(diskBytes)
if (tried.type === 'mounted') tried.unmount()

/** Declares a test on a small disk of its own: what another test has left there takes no room. */
function testOnSmallDisk(
  title: string,
  run: (t: ExecutionContext, mount: string) => Promise<void>,
): void {
  if (tried.type === 'refused') {
    test.skip(`${title} (skipped, no small disk: ${tried.reason})`, () => undefined)
    return
  }
  test.serial(title, async (t) => {
    const disk = mountSmallDisk(diskBytes)
    if (disk.type === 'refused') throw new Error(disk.reason)
    t.teardown(() => disk.unmount())
    await run(t, disk.dir)
  })
}

/** Writes a file until the disk is full, and takes so many bytes from it again. */
async function fillBut(filler: string, freeBytes: number): Promise<void> {
  const page = Buffer.alloc(4_096)
  await using file = await fs.open(filler, 'w')
  let written = 0
  try {
    for (;;) written += (await file.write(page)).bytesWritten
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
  }
  await file.truncate(written - freeBytes)
}

/**
 * Removes what fills a disk, and waits until there is room: a process that another thread of this
 * one starts has a copy of each open file until it begins its own program.
 */
async function makeRoom(filler: string): Promise<void> {
  const { size } = await fs.stat(filler)
  await fs.rm(filler)
  const disk = path.dirname(filler)
  await until('the disk has room', async () => {
    const { bavail, bsize } = await fs.statfs(disk)
    return bavail * bsize >= size
  })
}

testOnSmallDisk('a full disk loses nothing, and with space the log goes on', async (t, mount) => {
  const dir = path.join(mount, 'store')
  const filler = path.join(mount, 'filler')
  const entry = (at: number) => Buffer.alloc(20_000, `entry ${at} `)
  await fs.writeFile(filler, Buffer.alloc(3_000_000))
  const store = await openLevelStore(dir, { create: true })
  let head: LogHead = await openLog(store, logOptions)
  const failure = await t.throwsAsync(
    async () => {
      for (;;) head = await append(store, head, [entry(head.treeSize), entry(head.treeSize + 1)])
    },
    {
      instanceOf: LogError,
      code: 'store_full',
      message:
        /^a write to the store .* failed with unknown outcome: the disk is full: free some space/,
    },
  )
  t.truthy(failure)
  t.true(head.treeSize > 20, 'some commits had room')
  t.is(Buffer.compare(store.get('entry/000000000005') ?? Buffer.of(), entry(5)), 0)
  await store.close()
  await t.throwsAsync(openLevelStore(dir, { create: false }), {
    code: 'store_full',
    message: /^the store .* cannot be opened: the disk is full: free some space/,
  })
  await makeRoom(filler)
  const reopened = await openLevelStore(dir, { create: false })
  const next = await openLog(reopened, existing)
  // The failed batch may have been kept, but whole, and what was acknowledged is there.
  t.true([head.treeSize, head.treeSize + 2].includes(next.treeSize), `${next.treeSize}`)
  await append(reopened, next, [entry(next.treeSize)])
  const report = await audit(reopened, { origin, verifier })
  t.deepEqual([report.treeSize, report.problems], [next.treeSize + 1, []])
  await reopened.close()
})

// LevelDB itself takes writes after one that failed in the middle of its file, and loses them.
testOnSmallDisk(
  'nothing is acknowledged after a write that failed, also not at once',
  async (t, mount) => {
    const dir = path.join(mount, 'later')
    const filler = path.join(mount, 'later filler')
    const put = (key: string, bytes: number) => [
      { type: 'put', key, value: Buffer.alloc(bytes, key) } as const,
    ]
    const store = await openLevelStore(dir, { create: true })
    const joined = await joinLevelStore(dir)
    await fillBut(filler, 200_000)
    const acknowledged: string[] = []
    const write = async (key: string, bytes: number, by: Pick<Store, 'commit'> = store) => {
      await by.commit(put(key, bytes))
      acknowledged.push(key)
    }
    for (let at = 0; at < 10; at += 1) await write(`before ${at}`, 1_000)
    const results = await Promise.allSettled([
      write('too long', 400_000),
      ...Array.from({ length: 10 }, (_, at) => write(`beside ${at}`, 100)),
    ])
    t.is(results[0]?.status, 'rejected')
    await makeRoom(filler)
    // Another thread is refused, or what it writes is kept.
    await Promise.allSettled([write('of another', 100, joined)])
    for (let at = 0; at < 10; at += 1) {
      await t.throwsAsync(write(`after ${at}`, 100), { code: 'store_full' })
    }
    await t.throwsAsync(store.purge(['before 1']), { code: 'store_full' })
    await joined.close()
    await store.close()

    const reopened = await openLevelStore(dir, { create: false })
    t.deepEqual(
      acknowledged.filter((key) => reopened.get(key) === undefined),
      [],
      'what was acknowledged',
    )
    await reopened.commit(put('afterwards', 100))
    await reopened.close()
  },
)

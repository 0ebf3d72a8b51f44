import { mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import test, { type ExecutionContext } from 'ava'

import { parseWatch, type Watch } from '#src/tlog_tools/monitor/watch.ts'
import { openMonitor } from '#test/src/tlog_tools/monitor/_opened_monitor.ts'
import { filesOf, type ServedLog, serveLog } from '#test/src/tlog_tools/monitor/_served_log.ts'
import {
  createRegistry,
  entryOf,
  issueReceipt,
  metadata,
} from '#test/src/client/verify/_registry.ts'

const registry = createRegistry()
const ark = 'ark:/12345/x7wf3kz91'
const record = {
  metadata,
  source: { type: 'organization', id: 'demo', name: 'Demo', via: 'api_key' },
}

/** Entries about versions of one work, which say the same. */
function versions(count: number, changes: Record<string, unknown> = {}): Buffer[] {
  return Array.from({ length: count }, (_, at) =>
    entryOf(issueReceipt(registry, { leafIndex: 0, treeSize: 1 }, { version: at + 1, ...changes })),
  )
}

function serveRecords(log: ServedLog, count: number, reply: Buffer | number): void {
  for (let version = 1; version <= count; version += 1) {
    log.files.set(`api/v1/resolve/ark:12345/x7wf3kz91/v${version}`, reply)
  }
}

const good = Buffer.from(JSON.stringify(record))

function watch(text: string): Watch {
  const watched = parseWatch(text)
  if (watched === undefined) throw new Error(`${text} can be watched`)
  return watched
}

async function open(t: ExecutionContext, log: ServedLog, texts: readonly string[], from = 0) {
  const watches = texts.map(watch)
  return openMonitor(t, log, { watch: { watches, from, registry: log.url } })
}

test('a record that is not as stated is an alarm, and holds up nothing', async (t) => {
  const log = await serveLog(t, versions(3))
  serveRecords(log, 3, good)
  const forged = { ...record, metadata: { ...metadata, work_title: 'Another' } }
  log.files.set('api/v1/resolve/ark:12345/x7wf3kz91/v2', Buffer.from(JSON.stringify(forged)))
  const monitor = await open(t, log, ['org:demo'])
  const { alarms, watch: scan } = await monitor.look()
  t.is(
    alarms[0]?.alarm.message,
    `the public record of ${ark}, version 2, is not as stated: ` +
      'its metadata does not hash to what was stated',
  )
  t.deepEqual([alarms[0]?.place, alarms[0]?.alarm.kind], ['records', 'bad_record'])
  // The work is known by its first version, so that the second is told all the same.
  t.like(scan, { found: 3, unread: 0, left: 0, isMore: false })
  t.deepEqual(
    monitor.told.map(({ type }) => type),
    ['alarm', 'watched', 'watched', 'watched'],
  )
})

test('a registry that cannot be read holds the watch where it is', async (t) => {
  const log = await serveLog(t, versions(12))
  serveRecords(log, 12, good)
  log.files.set('api/v1/resolve/ark:12345/x7wf3kz91/v6', 429)
  const monitor = await open(t, log, ['org:demo'])
  const first = await monitor.look()
  t.like(first.watch, { found: 5, left: 7, isMore: false })
  t.regex(first.failures[0]?.message ?? '', /v6 answers 429$/)
  await monitor.reopen()
  log.files.set('api/v1/resolve/ark:12345/x7wf3kz91/v6', good)
  t.like((await monitor.look()).watch, { found: 7, left: 0 })
  const told = monitor.told.map(({ leaf_index: index }) => index)
  t.deepEqual(
    told,
    Array.from({ length: 12 }, (_, index) => index),
  )
})

test('a round looks at so many entries, and the next goes on', async (t) => {
  // Only a few of them are signed: that takes longest.
  const few = versions(10)
  const log = await serveLog(t, Array.from({ length: 500 }, () => few).flat())
  const monitor = await open(t, log, ['ark:12345/b9xz', 'ark:12345/c4vf'])
  t.like((await monitor.look()).watch, { found: 0, left: 904, isMore: true })
  t.like((await monitor.look()).watch, { found: 0, left: 0, isMore: false })
})

/** Puts so many reports where those of a monitor wait; gives their files. */
async function putReports(folder: string, count: number): Promise<string[]> {
  await mkdir(path.join(folder, 'outbox'), { recursive: true })
  const ids = Array.from({ length: count }, (_, nth) => `watched-put-${nth}`)
  const putOne = async (id: string): Promise<string> => {
    const file = path.join(folder, 'outbox', `${id}.json`)
    const told = { at: '2026-03-04T05:06:07Z', log: 'log.example', kind: 'registered', message: '' }
    await writeFile(file, JSON.stringify({ report: { id, type: 'watched', ...told }, done: [] }))
    return file
  }
  return Promise.all(ids.map(putOne))
}

test('while a thousand reports wait the watch waits, and then tells them all', async (t) => {
  const log = await serveLog(t, versions(30))
  const watches = [watch(ark)]
  let isBroken = true
  const told = new Set<number | undefined>()
  const monitor = await openMonitor(t, log, {
    watch: { watches, from: 0, registry: log.url },
    channels: [
      {
        name: 'webhook',
        async send(report) {
          if (isBroken) throw new Error('it is broken')
          told.add(report.leaf_index)
        },
      },
    ],
  })
  // Each report of its own is synced to the disk: most of the thousand are put there by the test.
  const put = await putReports(monitor.folder, 992)
  await monitor.reopen()
  const first = await monitor.look()
  t.is(first.undelivered[0]?.message, 'it is broken')
  t.is(monitor.current().waiting, 1_000)
  t.is((await readdir(path.join(monitor.folder, 'outbox'))).length, 1_000)
  t.like((await monitor.look()).watch, { found: 0, isMore: false })
  isBroken = false
  await Promise.all(put.map((file) => rm(file)))
  await monitor.reopen()
  await monitor.look()
  await monitor.look()
  t.deepEqual([...told], [...versions(30).keys()])
})

test('statements about a work that is gone are told by its ARK, or counted', async (t) => {
  const log = await serveLog(t, versions(2))
  serveRecords(log, 2, 410)
  const byOrganization = await open(t, log, ['org:demo'])
  t.like((await byOrganization.look()).watch, { found: 0, unread: 2 })
  const byArk = await open(t, log, [ark])
  t.like((await byArk.look()).watch, { found: 2, unread: 0 })
  // What is no statement of a registry is passed over.
  log.files = filesOf([...versions(2), Buffer.from('no statement')])
  t.like((await byArk.look()).watch, { found: 0, left: 0 })
})

// A mirror in a process of its own: killed, stopped, served, and copied by another one.

import { readFile, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import test, { type ExecutionContext } from 'ava'

import { until } from '#test/_until.ts'
import { newDataDir, runArklog, spawnArklog, startArklog } from '#test/scenario/_process.ts'
import { filesOf, makeEntries, serveLog, vkey } from '#test/src/tlog_tools/monitor/_served_log.ts'

/** A folder for a copy, the command that makes it of a log, and how far it says that it is. */
async function beginMirror(t: ExecutionContext, url: string) {
  const dir = await newDataDir(t)
  const kept = ['--dir', dir, '--vkey', vkey]
  const entriesKept = async () => {
    const text = await readFile(path.join(dir, 'state.json'), 'utf8').catch(() => '{}')
    return (JSON.parse(text) as { entriesChecked?: number }).entriesChecked ?? 0
  }
  return { dir, kept, copy: ['mirror', url, ...kept], entriesKept }
}

test('a mirror that is killed goes on from what it has, and reads no more of it', async (t) => {
  const log = await serveLog(t, makeEntries(100_000))
  const { copy, kept, entriesKept } = await beginMirror(t, log.url)
  let before = 0
  while (before < 60_000) {
    const { end } = spawnArklog(t, copy, {})
    const known = before
    await until('it has come further', async () => (await entriesKept()) > known)
    await end('SIGKILL')
    before = await entriesKept()
  }
  log.asked.length = 0
  const { code, stdout, stderr } = await runArklog(t, [...copy, '--json'], {})
  t.is(code, 0, stderr)
  t.regex(stdout, /"type":"published","tree_size":100000/)
  const asked = log.asked.filter((file) => file.startsWith('tile/entries/'))
  t.is(asked.length, Math.ceil(100_000 / 256) - Math.floor(before / 256) + 1)
  const verified = await runArklog(t, ['mirror', '--verify', ...kept], {})
  t.is(verified.code, 0, verified.stdout)
  t.regex(verified.stdout, /^all 100000 entries are what the log has signed$/m)
})

test('a mirror is followed, served, and copied by another one', async (t) => {
  const entries = makeEntries(700)
  const log = await serveLog(t, entries.slice(0, 300))
  const first = await beginMirror(t, log.url)
  const service = [...first.copy, '--serve', '127.0.0.1:0', '--interval', '1', '--json']
  const running = await startArklog(t, service, {})
  const { url } = JSON.parse(running.line) as { url: string }
  const sizeAt = async () => {
    const response = await fetch(`${url}/checkpoint`)
    return response.ok ? (await response.text()).split('\n')[1] : undefined
  }
  await until('the copy is there', async () => (await sizeAt()) === '300', { pauseMs: 50 })
  log.files = filesOf(entries)
  await until('it has grown', async () => (await sizeAt()) === '700', { pauseMs: 50 })
  const another = await runArklog(t, service, {})
  t.is(another.code, 2)
  t.regex(another.stderr, /another monitor uses/)
  const second = await beginMirror(t, url)
  t.is((await runArklog(t, second.copy, {})).code, 0)
  t.is((await runArklog(t, ['mirror', '--verify', ...second.kept], {})).code, 0)
  const ended = await running.end('SIGTERM')
  t.is(ended.code, 0, ended.stderr)
  // The copy alone is served, too.
  const alone = await startArklog(
    t,
    ['mirror', ...first.kept, '--serve', '127.0.0.1:0', '--json'],
    {},
  )
  const { url: aloneUrl } = JSON.parse(alone.line) as { url: string }
  t.is((await fetch(`${aloneUrl}/tile/0/001`)).status, 200)
  t.is((await alone.end('SIGTERM')).code, 0)
})

test('what a mirror finds is told by its exit code, with what to do', async (t) => {
  const entries = makeEntries(600)
  const log = await serveLog(t, entries)
  const { dir, copy, kept } = await beginMirror(t, log.url)
  const verify = ['mirror', '--verify', ...kept]
  t.is((await runArklog(t, ['mirror', ...kept], {})).code, 2)
  t.is((await runArklog(t, [...verify, log.url], {})).code, 2)
  const nothing = await runArklog(t, verify, {})
  t.is(nothing.code, 1)
  t.regex(nothing.stdout, /^checkpoint: is not there/m)
  t.is((await runArklog(t, copy, {})).code, 0)
  const bundle = path.join(dir, 'log', 'tile/entries/001')
  const bytes = await readFile(bundle)
  bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 1
  await writeFile(bundle, bytes)
  const damaged = await runArklog(t, verify, {})
  t.is(damaged.code, 1)
  t.regex(damaged.stdout, /^tile\/entries\/001: entry \d+ does not hash to its leaf in the tree$/m)
  t.regex(damaged.stdout, /remove .*state\.json, and mirror the log again/)
  await rm(path.join(dir, 'state.json'))
  t.is((await runArklog(t, copy, {})).code, 0)
  t.is((await runArklog(t, verify, {})).code, 0)
  log.files = filesOf(entries.slice(0, 400))
  const back = await runArklog(t, copy, {})
  t.is(back.code, 1)
  t.regex(back.stdout, /ALARM rollback: the log signs a head of 400 entries after one of 600/)
  t.regex(back.stdout, /what to do: An old copy was restored/)
  t.is((await runArklog(t, verify, {})).code, 0)
  log.files = new Map()
  t.is((await runArklog(t, copy, {})).code, 1)
})

import test from 'ava'
import { readdir, readFile } from 'node:fs/promises'
import { once } from 'node:events'
import path from 'node:path'
import { createInterface } from 'node:readline'

import { runArklog, startArklog, writeFolder } from '#test/src/cli/_command.ts'
import { unknownVkey } from '#test/log/_witnesses.ts'
import {
  filesBelow,
  filesOf,
  makeEntries,
  serveLog,
  vkey,
} from '#test/src/tlog_tools/monitor/_served_log.ts'
import { createRegistry, keyListOf } from '#test/src/client/verify/_registry.ts'

test('a log is looked at once, remembered, and accused with evidence when it forks', async (t) => {
  const log = await serveLog(t, makeEntries(300))
  const at = await writeFolder(t, {})
  const args = ['monitor', log.url, '--vkey', vkey, '--state', at('state'), '--once', '--json']
  const first = await runArklog(args)
  t.is(first.code, 0, first.stderr)
  t.like(JSON.parse(first.stdout), { type: 'started', tree_size: 300 })
  log.files = filesOf(makeEntries(400))
  t.like(JSON.parse((await runArklog(args)).stdout), {
    type: 'advanced',
    from: 300,
    tree_size: 400,
  })
  log.files = filesOf(makeEntries(500, ' of another history'))
  const forked = await runArklog(args)
  t.is(forked.code, 1)
  t.is(forked.stderr, '{"error":"log_alarm","message":"there was an alarm"}\n')
  const { type, kind, evidence } = JSON.parse(forked.stdout)
  t.deepEqual([type, kind], ['alarm', 'fork'])
  t.deepEqual((await readdir(evidence)).toSorted(), [
    'alarm.json',
    'new-checkpoint',
    'old-checkpoint',
    'tile',
  ])
  t.is(
    String(log.files.get('checkpoint')),
    await readFile(path.join(evidence, 'new-checkpoint'), 'utf8'),
  )
  // The same misbehaviour again is the same evidence, not more of it.
  t.is(JSON.parse((await runArklog(args)).stdout).evidence, evidence)
})

test('a witness or a log whose key is of an unknown type is told', async (t) => {
  const log = await serveLog(t, makeEntries(3))
  const unknown = unknownVkey('ml.example')
  const at = await writeFolder(t, { policy: `witness ml ${unknown}\nquorum ml\n` })
  const shared = ['--state', at('state'), '--once']
  const policy = ['--policy', at('policy')]
  const missed = await runArklog(['monitor', log.url, '--vkey', vkey, ...policy, ...shared])
  t.is(missed.code, 1)
  t.regex(missed.stdout, /quorum_missed.* witness ml has a key of an unknown type 0x05; it counts/)
  t.regex(
    missed.stderr,
    /WARNING: witness ml has a key .*\n.*WARNING: the quorum, ml, cannot be reached because of/,
  )
  const { code, stderr } = await runArklog(['monitor', log.url, '--vkey', unknown, ...shared])
  t.is(code, 2)
  t.regex(stderr, /^arklog: the key of ml.example is of the unknown type 0x05: what is/)
})

test('people read what was found', async (t) => {
  const log = await serveLog(t, makeEntries(3))
  const at = await writeFolder(t, {})
  const args = ['monitor', log.url, '--vkey', vkey, '--state', at('state'), '--once']
  t.regex((await runArklog(args)).stdout, /^\S+Z first look: 3 entries; .* on trust\n$/)
  t.regex((await runArklog(args)).stdout, /^\S+Z nothing new: 3 entries\n$/)
  log.files = filesOf(makeEntries(5))
  t.regex(
    (await runArklog(args)).stdout,
    /^\S+Z the log grew from 3 to 5 entries, and only grew\n$/,
  )
  log.files = filesOf(makeEntries(4))
  const { code, stdout, stderr } = await runArklog(args)
  t.is(code, 1)
  t.regex(
    stdout,
    new RegExp(
      '^\\S+Z ALARM rollback: the log signs a head of 4 entries after one of 5\n' +
        ' {2}what to do: An old copy was restored.*\n {2}evidence: ',
    ),
  )
  t.is(stderr, 'arklog: there was an alarm\n')
})

test('a log that cannot be looked at ends with exit code 2', async (t) => {
  const at = await writeFolder(t, { 'keys.json': JSON.stringify(keyListOf(createRegistry())) })
  const monitor = (...args: string[]) =>
    runArklog(['monitor', ...args, '--state', at('s'), '--once'])
  const closed = 'http://127.0.0.1:1'
  const gone = await monitor(closed, '--keys', at('keys.json'))
  t.is(gone.code, 2)
  t.regex(gone.stderr, /^arklog: http:\/\/127\.0\.0\.1:1\/checkpoint cannot be read: /)
  const neither = await monitor(closed)
  t.is(neither.code, 2)
  t.is(neither.stderr, 'arklog: give either --keys or --vkey, because a key identifies the log\n')
  t.regex((await monitor('ftp://x', '--vkey', vkey)).stderr, /It must be an http or https address/)
})

const keysPath = '.well-known/svc-keys.json'

/** A key list whose sandbox has the key of the log under test, which it says is at `url`. */
function keysOf(url: string): Buffer {
  const list = keyListOf(createRegistry())
  const origin = vkey.split('+')[0]
  return Buffer.from(JSON.stringify({ ...list, sandbox: { ...list, log: { origin, vkey, url } } }))
}

test('a log is found from the address of its registry, by the key that is trusted', async (t) => {
  const registry = await serveLog(t, [])
  registry.files = filesBelow('sandbox/log', filesOf(makeEntries(300)))
  registry.files.set('checkpoint', 400)
  registry.files.set(keysPath, keysOf(`${registry.url}/sandbox/log`))
  const at = await writeFolder(t, {})
  const args = ['--vkey', vkey, '--state', at('state'), '--once', '--json']
  const first = await runArklog(['monitor', `${registry.url}/`, ...args])
  t.is(first.code, 0, first.stderr)
  t.like(JSON.parse(first.stdout), { type: 'started', tree_size: 300 })
  const again = await runArklog(['monitor', `${registry.url}/sandbox/log`, ...args])
  t.like(JSON.parse(again.stdout), { type: 'unchanged', tree_size: 300 })

  // Who has seen the log once, and now is told that there is none, has reason for an alarm.
  registry.files.delete(keysPath)
  const gone = await runArklog(['monitor', registry.url, ...args])
  t.is(gone.code, 1)
  t.like(JSON.parse(gone.stdout), {
    type: 'alarm',
    kind: 'bad_reply',
    message:
      `${registry.url} has no log: ${registry.url}/checkpoint answers 400, and ` +
      `${registry.url}/${keysPath} answers 404; give the address of the log, or of the registry ` +
      'that has it',
  })
})

test('an address without the log that is meant accuses nobody', async (t) => {
  const registry = await serveLog(t, [])
  const at = await writeFolder(t, {})
  const args = ['monitor', registry.url, '--vkey', vkey, '--state', at('state'), '--once']
  const replies: readonly (readonly [Buffer | number, RegExp])[] = [
    [404, /has no log: .*\/checkpoint answers 404, and .*svc-keys\.json answers 404; give the/],
    [Buffer.from('<html>'), /svc-keys\.json does not say where the log is: the key file is malf/],
    [
      Buffer.from(JSON.stringify(keyListOf(createRegistry()))),
      /has no log of the key log\.example\/test\+\S+: http\S+svc-keys\.json names others; give/,
    ],
    [keysOf('file:///etc/passwd'), /has no log of the key /],
  ]
  for (const [reply, message] of replies) {
    registry.files = new Map([[keysPath, reply]])
    const { code, stderr } = await runArklog(args)
    t.is(code, 2)
    t.regex(stderr, message)
  }
})

test('a log is followed until the monitor is told to stop', async (t) => {
  const log = await serveLog(t, makeEntries(3))
  const at = await writeFolder(t, {})
  const args = ['monitor', log.url, '--vkey', vkey, '--state', at('state')]
  const monitor = startArklog([...args, '--interval', '1', '--json'])
  const types: string[] = []
  for await (const line of createInterface(monitor.stdout)) {
    const { type } = JSON.parse(line)
    types.push(type)
    if (type === 'advanced') monitor.kill('SIGTERM')
    else log.files = filesOf(makeEntries(5))
  }
  const [code] = monitor.exitCode === null ? await once(monitor, 'exit') : [monitor.exitCode]
  t.is(code, 0)
  // A look may come before the log has grown, and one before the monitor is told.
  t.deepEqual(
    types.filter((type) => type !== 'unchanged'),
    ['started', 'advanced'],
  )
})

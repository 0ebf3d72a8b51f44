import { execFile, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs/promises'
import net, { type Socket } from 'node:net'
import path from 'node:path'
import { promisify } from 'node:util'
import test, { type ExecutionContext } from 'ava'

import { untilGiven } from '#test/_until.ts'
import { mountSmallDisk } from '#test/log/_small_disk.ts'
import {
  firstKey,
  newDataDir,
  newWork,
  runArklog,
  type Server,
  startServer,
} from '#test/scenario/_process.ts'
import { type Reply, request } from '#test/scenario/_request.ts'

const run = promisify(execFile)

const mebibyte = 1024 * 1024
const diskBytes = 32 * mebibyte
const quiet = { RATE_LIMITS: 'off', LOG_LEVEL: 'silent' }

const disk = mountSmallDisk(diskBytes)
test.after.always(() => {
  if (disk.type === 'mounted') disk.unmount()
})

/** A test that needs the small disk, or one that says in its name why it is skipped. */
function testOnDisk(
  title: string,
  body: (t: ExecutionContext, dataDir: string) => Promise<void>,
): void {
  if (disk.type === 'refused') {
    test.skip(`${title} (skipped, no small file system here: ${disk.reason})`, (t) => t.pass())
    return
  }
  test.serial(title, async (t) => {
    const dataDir = path.join(disk.dir, 'data')
    t.teardown(() => fs.rm(dataDir, { recursive: true }))
    await body(t, dataDir)
  })
}

/** A file that leaves so many bytes of the disk free; gives how to take it away. */
async function fillDisk(dir: string, freeBytes: number): Promise<() => Promise<void>> {
  const file = path.join(dir, 'filler')
  const { bavail, bsize } = await fs.statfs(dir)
  await fs.writeFile(file, Buffer.alloc(Math.max(0, bavail * bsize - freeBytes)))
  return () => fs.rm(file)
}

type Work = { readonly ark_identifier: string }

function mint(server: Server, key: string, title: string): Promise<Reply<Work>> {
  return request(server, '/v1/works', {
    key,
    headers: { 'idempotency-key': title.replaceAll(' ', '-') },
    body: newWork(title),
  })
}

testOnDisk(
  '45: below its reserve of disk the registry reads on and asks writers to wait',
  async (t, dataDir) => {
    const reserve = { DISK_RESERVE_BYTES: String(10 * mebibyte) }
    const server = await startServer(t, { DATA_DIR: dataDir, ...quiet, ...reserve })
    const key = firstKey(server)
    const before = await mint(server, key, 'Before the disk was full')
    t.is(before.status, 201)

    // So much that what is registered until the registry looks again does not fill it.
    const free = await fillDisk(path.dirname(dataDir), 8 * mebibyte)
    const refused = await untilStatus(503, server, key, 'While the disk was full')
    t.is((refused.body as unknown as { error: string }).error, 'unavailable')
    t.regex(refused.headers.get('retry-after') ?? '', /^[1-9][0-9]*$/)
    const read = await request(server, `/api/v1/resolve/${before.body.ark_identifier}`)
    t.is(read.status, 200)

    await free()
    await untilStatus(201, server, key, 'After the disk was full')
    t.is((await server.end('SIGTERM')).code, 0)
  },
)

/** Registers works until an answer has a status: what is free is measured once a second. */
async function untilStatus(
  status: number,
  server: Server,
  key: string,
  title: string,
): Promise<Reply<Work>> {
  let count = 0
  const give = async () => {
    const reply = await mint(server, key, `${title} ${count}`)
    count += 1
    return reply.status === status ? reply : undefined
  }
  return untilGiven(`a mint is answered with ${status}`, give, { pauseMs: 20 })
}

testOnDisk(
  '45: a disk that is full ends the process, and nothing acknowledged is lost',
  async (t, dataDir) => {
    const settings = { DATA_DIR: dataDir, ...quiet, DISK_RESERVE_BYTES: '0' }
    const server = await startServer(t, settings)
    const key = firstKey(server)
    const free = await fillDisk(path.dirname(dataDir), mebibyte)
    const arks: string[] = []
    for (let status = 201; status === 201; ) {
      const reply = await mint(server, key, `Until the disk is full ${arks.length}`)
      status = reply.status
      if (status === 201) arks.push(reply.body.ark_identifier)
      else t.is(status, 504, 'it may have been written')
    }
    const { code, stderr } = await server.ended
    t.is(code, 1)
    t.regex(stderr, /the disk is full: free some space, then restart the service\n/)
    t.regex(stderr, /Nothing that was acknowledged is lost\.\n/)

    await free()
    const again = await startServer(t, settings)
    const title = `Until the disk is full ${arks.length}`
    const resent = [await mint(again, key, title), await mint(again, key, title)]
    t.deepEqual(
      resent.map(({ status }) => status),
      [201, 201],
    )
    t.is(resent[0]?.body.ark_identifier, resent[1]?.body.ark_identifier)
    t.true(arks.length > 10)
    for (const ark of arks) t.is((await request(again, `/api/v1/works/${ark}`)).status, 200)
    t.is((await again.end('SIGTERM')).code, 0)
    const audit = await runArklog(t, ['audit'], settings)
    t.is(audit.code, 0, audit.stdout)
  },
)

testOnDisk('45: a data directory that is read-only is refused', async (t, dataDir) => {
  const settings = { DATA_DIR: dataDir, ...quiet, DISK_RESERVE_BYTES: '0' }
  await (await startServer(t, settings)).end('SIGTERM')
  const folder = path.dirname(dataDir)
  await run('mount', ['-o', 'remount,ro', folder])
  const refusal = await runArklog(t, ['serve', '--json'], settings)
  const firstStart = await runArklog(t, ['serve'], { ...settings, DATA_DIR: `${dataDir}-new` })
  await run('mount', ['-o', 'remount,rw', folder])

  t.is(refusal.code, 1)
  const { error, message } = JSON.parse(refusal.stderr) as { error: string; message: string }
  t.is(error, 'store_failed')
  t.regex(message, /Read-only file system: check the disk and the permissions/)
  t.is(firstStart.code, 1)
  t.regex(
    firstStart.stderr,
    /^arklog: The data directory .* cannot be created .* mounted and writable/,
  )
  const again = await startServer(t, settings)
  t.is((await again.end('SIGTERM')).code, 0)
})

const prlimit =
  spawnSync('prlimit', ['--version']).status === 0
    ? { test: test.serial, why: '' }
    : { test: test.skip, why: ' (skipped, no prlimit here)' }

prlimit.test(
  `45: when it may open no more files, the registry lives on${prlimit.why}`,
  async (t) => {
    const server = await startServer(t, { DATA_DIR: await newDataDir(t), ...quiet })
    const key = firstKey(server)
    await mint(server, key, 'Before files ran out')
    const open = (await fs.readdir(`/proc/${server.child.pid}/fd`)).length
    await run('prlimit', ['--pid', String(server.child.pid), `--nofile=${open + 8}:`])
    const { hostname, port } = new URL(server.started.local_url)
    const sockets: Socket[] = Array.from({ length: 40 }, () => net.connect(Number(port), hostname))
    // The kernel connects them all; the server takes as many as it may and turns the others away.
    await Promise.any(sockets.map((socket) => once(socket, 'close')))
    for (const socket of sockets) socket.destroy()

    await run('prlimit', ['--pid', String(server.child.pid), '--nofile=1024:'])
    t.is((await mint(server, key, 'After files ran out')).status, 201)
    t.is((await server.end('SIGTERM')).code, 0)
  },
)

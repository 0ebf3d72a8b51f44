// Many who come at the same moment.

import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import net from 'node:net'
import test, { type ExecutionContext } from 'ava'

import { newDataDir, type Running, type Settings, startArklog } from '#test/scenario/_process.ts'
import { freePort } from '#test/_free_port.ts'

/** More than the 511 that Node lets wait unless it is told otherwise. */
const connections = 1_500

/** What is answered to those who connect to a port while the process cannot accept anybody. */
async function knock(t: ExecutionContext, { child }: Running, port: number): Promise<void> {
  child.kill('SIGSTOP')
  const sockets = Array.from({ length: connections }, () => net.connect(port, '127.0.0.1'))
  const connected = sockets.map((socket) => once(socket, 'connect'))
  await t.notThrowsAsync(() => Promise.all(connected), `port ${port}`)
  child.kill('SIGCONT')
  for (const socket of sockets) socket.destroy()
}

async function start(t: ExecutionContext, args: readonly string[], settings: Settings) {
  t.timeout(600_000, 'connections wait for ever')
  const running = await startArklog(t, [...args, '--json'], settings)
  const { local_url: url } = JSON.parse(running.line) as { readonly local_url: string }
  return { running, port: Number(new URL(url).port) }
}

const somaxconnFile = '/proc/sys/net/core/somaxconn'
const somaxconn = existsSync(somaxconnFile) ? Number(readFileSync(somaxconnFile, 'utf8')) : 0
const name = (what: string) =>
  `1,500 connections wait for ${what}` +
  (somaxconn >= connections ? '' : ' (skipped: net.core.somaxconn of this system is less)')
const serial = somaxconn >= connections ? test.serial : test.serial.skip

serial(name('a registry that is busy, at each of its ports'), async (t) => {
  const AUTH_PORT = String(await freePort())
  const ADMIN_PORT = String(await freePort())
  const settings = { DATA_DIR: await newDataDir(t), AUTH_PORT, ADMIN_PORT }
  const { running, port } = await start(t, ['serve'], settings)
  for (const one of [port, Number(AUTH_PORT), Number(ADMIN_PORT)]) await knock(t, running, one)
})

serial(name('a bare log'), async (t) => {
  const settings = { DATA_DIR: await newDataDir(t) }
  const { running, port } = await start(t, ['serve', '--log-only'], settings)
  await knock(t, running, port)
})

serial(name('the adapter'), async (t) => {
  const { running, port } = await start(t, ['oai'], {
    DATA_DIR: await newDataDir(t),
    SVC_URL: `http://127.0.0.1:${await freePort()}`,
    SVC_API_KEY: 'svc_live_0123456789',
    REPOSITORY_NAME: 'Test',
    ADMIN_EMAIL: 'oai@example.org',
    BASE_URL: 'https://oai.example.org',
  })
  await knock(t, running, port)
})

import { execFile, spawn } from 'node:child_process'
import { chown, mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'

import { freePort } from '#test/_free_port.ts'
import { untilGiven } from '#test/_until.ts'

const run = promisify(execFile)

/** A PostgreSQL server of its own, as its package sets it up: every commit is synced. */
export type Postgres = {
  readonly pid: number
  /** The address of a new database. */
  createDatabase(name: string): Promise<{ readonly port: number; readonly user: string }>
  stop(): Promise<void>
}

const user = 'bench'

/** Starts the PostgreSQL of the system (Debian: apt-get install postgresql), or throws why not. */
export async function startPostgres(): Promise<Postgres> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'arklog-bench-postgres-'))
  const owner = await unprivileged()
  if (owner !== undefined) await chown(folder, owner.uid, owner.gid)
  const dataDir = path.join(folder, 'data')
  const options = { cwd: folder, ...owner }
  await run('initdb', ['-D', dataDir, '-U', user, '-A', 'trust', '-E', 'UTF8'], options)
  const port = await freePort()
  const settings = ['-c', 'listen_addresses=127.0.0.1', '-c', 'max_connections=200']
  const child = spawn('postgres', ['-D', dataDir, '-p', String(port), '-k', folder, ...settings], {
    ...options,
    stdio: 'ignore',
  })
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const ask = (sql: string) =>
    run('psql', ['-h', '127.0.0.1', '-p', String(port), '-U', user, 'postgres', '-c', sql])
  await untilGiven('PostgreSQL answers', () => ask('select 1').catch(() => undefined), {
    pauseMs: 200,
  })
  return {
    pid: child.pid ?? 0,
    async createDatabase(name) {
      await ask(`create database ${name}`)
      return { port, user }
    },
    async stop() {
      child.kill('SIGINT')
      await ended
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** PostgreSQL does not run as root: its package has a user for it. */
async function unprivileged(): Promise<{ readonly uid: number; readonly gid: number } | undefined> {
  if (process.getuid?.() !== 0) return undefined
  const idOf = async (flag: string) => Number((await run('id', [flag, 'postgres'])).stdout)
  return { uid: await idOf('-u'), gid: await idOf('-g') }
}

import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'

import { until } from '#test/_until.ts'
import { freePort } from '#test/_free_port.ts'

const program = [
  'versitygw',
  path.join(process.env['GOPATH'] ?? path.join(os.homedir(), 'go'), 'bin', 'versitygw'),
].find((name) => spawnSync(name, ['--version']).error === undefined)

/** Why there is no S3 server to try backups with; undefined where there is one. */
export const s3Missing = program === undefined ? 'versitygw is not installed' : undefined

/** A real S3 server, with a bucket and whoever may use it. */
export type S3Server = {
  readonly bucket: string
  /** What tells a client of S3 where it is, and who asks. */
  readonly environment: Readonly<Record<string, string>>
  stop(): Promise<void>
}

/** Starts versitygw over a folder that is removed when it stops. */
export async function startS3Server(): Promise<S3Server> {
  const folder = await fs.mkdtemp(path.join(os.tmpdir(), 'arklog-s3-'))
  const bucket = 'backups'
  await fs.mkdir(path.join(folder, bucket))
  const port = await freePort()
  const [access, secret] = ['tester', 'a secret of the tests']
  const args = ['--access', access, '--secret', secret, '--port', `127.0.0.1:${port}`]
  const child = spawn(program ?? '', [...args, 'posix', folder], { stdio: 'ignore' })
  const url = `http://127.0.0.1:${port}`
  await until('the S3 server answers', () => isAnswered(child, url))
  return {
    bucket,
    environment: {
      AWS_ACCESS_KEY_ID: access,
      AWS_SECRET_ACCESS_KEY: secret,
      AWS_ENDPOINT_URL: url,
    },
    async stop() {
      if (child.exitCode === null) {
        child.kill('SIGKILL')
        await once(child, 'exit')
      }
      await fs.rm(folder, { recursive: true })
    },
  }
}

async function isAnswered(child: ChildProcess, url: string): Promise<boolean> {
  if (child.exitCode !== null) throw new Error('the S3 server ended')
  return fetch(url).then(
    () => true,
    () => false,
  )
}

import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import path from 'node:path'

const { PATH = '' } = process.env

/** Where nats-server is: in the PATH, or where `go install` puts it. Undefined: it is not there. */
export const natsServerProgram: string | undefined = [...PATH.split(':'), goBinFolder()]
  .filter((folder) => folder !== '')
  .map((folder) => path.join(folder, 'nats-server'))
  .find((file) => existsSync(file))

function goBinFolder(): string {
  const { status, stdout } = spawnSync('go', ['env', 'GOPATH'], { encoding: 'utf8' })
  return status === 0 ? path.join(stdout.trim(), 'bin') : ''
}

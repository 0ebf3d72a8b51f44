import { execFile, execFileSync } from 'node:child_process'
import { promisify } from 'node:util'

type Command = readonly [program: string, args: string[]]

/** A command as the owner of a network and mounts that have a loopback device only. */
function inNetwork(command: string): Command {
  return ['unshare', ['-Urnm', 'sh', '-c', `ip link set lo up && ${command}`]]
}

/** Runs a command as the owner of a network and mounts that have a loopback device only. */
export async function runInNetwork(command: string): Promise<string> {
  const { stdout } = await promisify(execFile)(...inNetwork(command))
  return stdout
}

/** Why no such network can be had here; undefined if it can. */
export function whyNoNetwork(): string | undefined {
  const command = 'ip address add 10.0.0.1 dev lo && ip address add fd00::1 dev lo'
  try {
    execFileSync(...inNetwork(command), { stdio: 'pipe' })
    return undefined
  } catch (error) {
    return String(error).split('\n', 2).join(' ')
  }
}

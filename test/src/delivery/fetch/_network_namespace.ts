import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

/** Runs a command as the owner of a network and mounts that have a loopback device only. */
export async function runInNetwork(command: string): Promise<string> {
  const args = ['-Urnm', 'sh', '-c', `ip link set lo up && ${command}`]
  const { stdout } = await promisify(execFile)('unshare', args)
  return stdout
}

/** Why no such network can be had here; undefined if it can. */
export async function whyNoNetwork(): Promise<string | undefined> {
  try {
    await runInNetwork('ip address add 10.0.0.1 dev lo && ip address add fd00::1 dev lo')
    return undefined
  } catch (error) {
    return String(error).split('\n', 2).join(' ')
  }
}

import { execFileSync } from 'node:child_process'

/** Runs a command as the owner of a network and mounts that have a loopback device only. */
export function runInNetwork(command: string): string {
  const args = ['-Urnm', 'sh', '-c', `ip link set lo up && ${command}`]
  return execFileSync('unshare', args, { stdio: 'pipe', encoding: 'utf8' })
}

/** Why no such network can be had here; undefined if it can. */
export function whyNoNetwork(): string | undefined {
  try {
    runInNetwork('ip address add 10.0.0.1 dev lo && ip address add fd00::1 dev lo')
    return undefined
  } catch (error) {
    return String(error).split('\n', 2).join(' ')
  }
}

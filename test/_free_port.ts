import { freePort as findPort } from '#src/start/address.ts'

/** A port of this machine that nobody listens on. */
export function freePort(): Promise<number> {
  return findPort('127.0.0.1')
}

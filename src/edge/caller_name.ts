import { countedAddress } from '#src/edge/client_address.ts'
import type { Caller } from '#src/edge/credentials.ts'

/**
 * What tells the callers of the registry apart where they share something: the id of a key, the
 * application and person of a token, else what the client address is counted by.
 */
export function callerName(caller: Caller): string {
  switch (caller.kind) {
    case 'key':
      return caller.keyId
    case 'token':
      return `${caller.clientId} ${caller.ppid}`
    case 'anonymous':
      return countedAddress(caller.ip)
  }
}

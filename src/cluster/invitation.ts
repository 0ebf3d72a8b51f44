import { hash } from 'node:crypto'

import { nodeNamePattern } from '#config/schema.ts'
import { ClusterError } from '#src/cluster/cluster_error.ts'

/** What lets a node join: it is good once, at one node, for an hour. */
export type Invitation = {
  /** Names it, and is no secret: 16 bytes. */
  readonly id: Uint8Array
  /** 32 bytes, under which all is sealed that goes to the node that joins. */
  readonly secret: Uint8Array
  /** The node that invites, and has a copy of itself fetched. */
  readonly node: string
  /** Milliseconds since 1970. */
  readonly expiresMs: number
}

export const invitationIdBytes = 16
export const invitationSecretBytes = 32

const mark = 'arklog-join-1.'
const timeBytes = 6
const checkBytes = 4
const headBytes = invitationIdBytes + invitationSecretBytes + timeBytes

/**
 * The token of an invitation, as people hand it on: `arklog-join-1.` and the Base64url of id,
 * secret, the time of its end (6 bytes), the node's name, and 4 bytes that tell a typing error.
 */
export function formatInvitation({ id, secret, node, expiresMs }: Invitation): string {
  const time = Buffer.alloc(timeBytes)
  time.writeUIntBE(expiresMs, 0, timeBytes)
  const bytes = Buffer.concat([id, secret, time, Buffer.from(node, 'latin1')])
  return mark + Buffer.concat([bytes, checkOf(bytes)]).toString('base64url')
}

/** Reads a token. ClusterError `invitation_malformed` if it is not one, whole and unchanged. */
export function parseInvitation(token: string): Invitation {
  const bytes = Buffer.from(token.trim().slice(mark.length), 'base64url')
  const body = bytes.subarray(0, Math.max(0, bytes.length - checkBytes))
  const invitation: Invitation = {
    id: body.subarray(0, invitationIdBytes),
    secret: body.subarray(invitationIdBytes, invitationIdBytes + invitationSecretBytes),
    expiresMs: body.length < headBytes ? 0 : body.readUIntBE(headBytes - timeBytes, timeBytes),
    node: body.subarray(headBytes).toString('latin1'),
  }
  const isWhole = isNodeName(invitation.node) && formatInvitation(invitation) === token.trim()
  if (isWhole) return invitation
  throw new ClusterError(
    'invitation_malformed',
    'This is not a complete token of "arklog cluster invite": copy the whole line again.',
  )
}

function checkOf(bytes: Uint8Array): Buffer {
  return hash('sha256', bytes, 'buffer').subarray(0, checkBytes)
}

const form = new RegExp(nodeNamePattern)

/**
 * Whether a text names a node: 1 to 63 lower-case letters, digits and inner hyphens, such as
 * `registry-2`. So it is one token of a subject of NATS, a key of its buckets, and a host name.
 */
export function isNodeName(text: string): boolean {
  return form.test(text)
}

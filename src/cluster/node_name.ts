import { nodeNamePattern } from '#config/schema.ts'

const form = new RegExp(nodeNamePattern)

/**
 * Whether a text names a node: 1 to 63 lower-case letters, digits and inner hyphens, such as
 * `registry-2`. So it is one token of a subject of NATS, a key of its buckets, and a host name.
 */
export function isNodeName(text: string): boolean {
  return form.test(text)
}

/**
 * FNV-1a over the UTF-16 units of a text, as an unsigned 32-bit number: the same on every machine
 * and in every version. For texts that nobody chooses to collide.
 */
export function textHash(text: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  }
  return hash >>> 0
}

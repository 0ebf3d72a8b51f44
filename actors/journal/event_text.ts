import { metadataMember } from '#actors/journal/rows.ts'
import type { Agent } from '#actors/values/agent.ts'
import { assert } from '#log/errors.ts'

// Who made a change is an object of texts and flags, the first one in the row.
const agentMember = /"by":(\{(?:[^"{}]|"(?:[^"\\]|\\.)*")*\})/

/**
 * An event's row, of which a few members are read where they stand: to decode all of it takes many
 * times as long. Within a string of JSON a quote has a backslash before it, so no text that a
 * client sent can look like the name of a member.
 */
export class EventText {
  /** The bytes of the metadata, as `eventMetadata` gives them. */
  readonly metadata: Uint8Array
  readonly #metadataAt: number
  /** The row's bytes, each as a character. */
  readonly #text: string

  constructor(row: Uint8Array) {
    this.#text = Buffer.from(row.buffer, row.byteOffset, row.length).toString('latin1')
    const at = this.#text.indexOf(metadataMember)
    assert(at > 0, 'the event carries metadata')
    this.#metadataAt = at + metadataMember.length
    this.metadata = row.subarray(this.#metadataAt, -2)
  }

  /** Who made the change. */
  agent(): Agent {
    const member = agentMember.exec(this.#text)?.[1]
    assert(member !== undefined, 'an event says who made it')
    return parse<Agent>(member)
  }

  /**
   * A text of the metadata, undefined if it has none of this name; no member within its lists may
   * have the same name.
   */
  metadataText(name: string): string | undefined {
    const before = `"${name}":`
    const at = this.#text.indexOf(`${before}"`, this.#metadataAt)
    if (at < 0) return undefined
    const start = at + before.length
    return parse<string>(this.#text.slice(start, endOfString(this.#text, start)))
  }
}

/** Where the string of JSON that begins at `start` ends: behind its closing quote. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); ; end = text.indexOf('"', end + 1)) {
    assert(end > 0, 'a string of JSON ends')
    let backslashes = 0
    while (text[end - 1 - backslashes] === '\\') backslashes += 1
    if (backslashes % 2 === 0) return end + 1
  }
}

/** Parses JSON whose bytes were read as characters. */
function parse<T>(bytes: string): T {
  const isAscii = !/[\x80-\xff]/.test(bytes)
  return JSON.parse(isAscii ? bytes : Buffer.from(bytes, 'latin1').toString('utf8')) as T
}

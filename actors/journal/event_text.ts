import { metadataMember } from '#actors/journal/rows.ts'
import { type ByteText, decodeText, readBytes } from '#actors/values/serialization.ts'
import { assert } from '#log/base/errors.ts'

/**
 * An event's row, of which a few members are read where they stand: to decode all of it takes many
 * times as long. Within a string of JSON a quote has a backslash before it, so no text that a
 * client sent can look like the name of a member.
 */
export class EventText {
  /** The bytes of the metadata, as `eventMetadata` gives them. */
  readonly metadata: ByteText
  readonly #metadataAt: number
  readonly #text: ByteText

  constructor(row: Uint8Array) {
    this.#text = readBytes(row)
    const at = this.#text.indexOf(metadataMember)
    assert(at > 0, 'the event carries metadata')
    this.#metadataAt = at + metadataMember.length
    this.metadata = this.#text.slice(this.#metadataAt, -2) as ByteText
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
    const spelled = this.#text.slice(start, endOfString(this.#text, start)) as ByteText
    return JSON.parse(decodeText(spelled)) as string
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

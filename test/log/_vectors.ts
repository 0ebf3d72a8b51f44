import * as fs from 'node:fs'

import { assert } from '#log/tlog/errors.ts'

/** A vector from its file, and the rule that it shows: the name of the file. */
export type Named<V> = V & { readonly name: string }

/** The vectors of a folder of `test/vectors`, such as `note/valid`; it has at least one. */
export function loadVectors<V>(folder: string): readonly Named<V>[] {
  const url = new URL(`../vectors/${folder}/`, import.meta.url)
  const files = fs.readdirSync(url).filter((file) => file.endsWith('.json'))
  assert(files.length > 0, `there are vectors in ${folder}`)
  return files.sort().map((file) => {
    const vector = JSON.parse(fs.readFileSync(new URL(file, url), 'utf8')) as V
    return { ...vector, name: file.slice(0, -'.json'.length) }
  })
}

/** Bytes of hex digits, as the vectors spell them. */
export function fromHex(hex: string): Uint8Array {
  assert(/^(?:[0-9a-f]{2})*$/.test(hex), 'a vector has lower-case hex')
  return new Uint8Array(Buffer.from(hex, 'hex'))
}

/** Lower-case hex digits of bytes. */
export function toHex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex')
}

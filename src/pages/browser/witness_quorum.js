// @ts-check

import { utf8 } from '#src/pages/browser/bytes.js'
import {
  demandSignature,
  isKnownKey,
  readVkey,
  signatureBy,
  witnessKeyType,
} from '#src/pages/browser/signed_note.js'
import { Failure, NotChecked } from '#src/pages/browser/verdict.js'

/** @typedef {import('#src/pages/browser/signed_note.js').Note} Note */

// A cosignature begins with a time of 64 bits.
const timeBytes = 8

/**
 * Checks who has cosigned a checkpoint, of the witnesses of a published policy (C2SP tlog-policy),
 * and whether they are enough: says who and when. Below the quorum nothing is wrong yet.
 * @param {Note} note
 * @param {string} policy
 * @returns {Promise<string>}
 */
export async function demandQuorum(note, policy) {
  const lines = policy.split('\n').map((line) => line.split(' '))
  /** @type {Set<string>} */
  const signed = new Set()
  const said = []
  const unknown = []
  for (const [keyword, name = '', vkey = ''] of lines) {
    if (keyword !== 'witness') continue
    if (!isKnownKey(vkey)) {
      unknown.push(name)
      continue
    }
    const time = await cosignedAt(note, vkey)
    if (time === undefined) continue
    signed.add(name)
    said.push(`${name} on ${time}`)
  }
  const quorum = lines.find(([keyword]) => keyword === 'quorum')?.[1] ?? ''
  // A group is made of what stands before it, so that one pass tells of all.
  for (const [keyword, name = '', threshold, ...members] of lines) {
    const count = members.filter((member) => signed.has(member)).length
    if (keyword === 'group' && count >= Number(threshold)) signed.add(name)
  }
  const who = said.length === 0 ? 'none of the witnesses has' : `only ${said.join(', ')} have`
  if (!signed.has(quorum)) {
    const others = unknown.map((name) => `; the key of ${name} is of a type unknown to this page`)
    throw new NotChecked(
      `${who} signed this checkpoint by now; they do within seconds, try again${others.join('')}`,
    )
  }
  return `witnesses signed this checkpoint too: ${said.join(', ')}`
}

/**
 * When a witness has signed, if it has; a signature that is not right is a failure.
 * @param {Note} note
 * @param {string} vkey
 */
async function cosignedAt(note, vkey) {
  const key = await readVkey(vkey, witnessKeyType)
  const bytes = signatureBy(note, key)
  if (bytes === undefined) return undefined
  if (bytes.length !== timeBytes + 64) throw new Failure(`what ${key.name} signed has no time`)
  const seconds = new DataView(bytes.buffer, bytes.byteOffset).getBigUint64(0)
  const message = `cosignature/v1\ntime ${seconds}\n${note.text}`
  await demandSignature(utf8.encode(message), bytes.subarray(timeBytes), key.publicKey)
  const date = new Date(Number(seconds) * 1_000)
  if (Number.isNaN(date.getTime())) throw new Failure(`the time of ${key.name} is none`)
  return date.toISOString().replace('T', ' at ').replace('.000Z', ' UTC')
}

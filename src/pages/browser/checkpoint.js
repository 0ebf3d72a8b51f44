// @ts-check

import { fromBase64, toBase64, utf8 } from '#src/pages/browser/bytes.js'
import { demandSignature, signatureBy } from '#src/pages/browser/signed_note.js'
import { Failure } from '#src/pages/browser/verdict.js'

/**
 * @typedef {import('#src/pages/browser/signed_note.js').Note} Note
 * @typedef {import('#src/pages/browser/signed_note.js').NoteKey} NoteKey
 *
 * A checkpoint (C2SP tlog-checkpoint): which log, how many entries, and the root of their tree.
 * @typedef {{ origin: string, treeSize: number, root: Uint8Array<ArrayBuffer> }} Checkpoint
 */

/**
 * Reads the checkpoint that a note is; nothing of it is verified. It has one spelling only.
 * @param {Note} note
 * @returns {Checkpoint}
 */
export function readCheckpoint({ text }) {
  const [origin = '', size = '', rootText = ''] = text.split('\n')
  const treeSize = Number(size)
  const root = fromBase64(rootText)
  const isSize = Number.isSafeInteger(treeSize) && treeSize >= 0
  const isOne = origin !== '' && isSize && root.length === 32
  if (!isOne || text !== `${origin}\n${treeSize}\n${toBase64(root)}\n`) {
    throw new Failure('the checkpoint is not three lines of a log, a size and a root')
  }
  return { origin, treeSize, root }
}

/**
 * Demands that the key of a log has signed a note.
 * @param {Note} note
 * @param {NoteKey} key
 * @param {string} [whose] What the key is called.
 */
export async function demandSignedByLog(note, key, whose = 'the published key') {
  const signature = signatureBy(note, key)
  if (signature === undefined) throw new Failure(`${whose} has not signed the checkpoint`)
  await demandSignature(utf8.encode(note.text), signature, key.publicKey)
}

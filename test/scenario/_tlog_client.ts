// A reader of a served log, written against the published formats alone (signed note, checkpoint,
// tiles, RFC 6962). It imports nothing of this project, so that it cannot share its mistakes.

import { createHash, createPublicKey, verify } from 'node:crypto'

/** A log as this client has read and recomputed it. */
export type ReadLog = {
  readonly origin: string
  readonly treeSize: number
  /** The root hash that follows from the entries alone. */
  readonly rootHash: Buffer
  readonly entries: readonly Buffer[]
  /** Level and number of every tile that was fetched and found right, as `level/index`. */
  readonly tiles: readonly string[]
}

/**
 * Reads the whole log below `url` (no slash at its end): checkpoint, every entry bundle, every
 * tile of every level. Throws if anything is not exactly what the entries and the key demand.
 */
export async function readLog(url: string, vkey: string): Promise<ReadLog> {
  const { origin, treeSize, rootHash } = await readCheckpoint(url, vkey)
  const entries = await readEntries(url, treeSize)
  const leaves = entries.map((entry) => sha256(Buffer.from([0]), entry))
  const tiles = await checkTiles(url, leaves)
  const recomputed = merkleTreeHash(leaves)
  demand(recomputed.equals(rootHash), 'the entries do not give the root of the checkpoint')
  return { origin, treeSize, rootHash: recomputed, entries, tiles }
}

/** Fetches the checkpoint and checks its one signature line by the log against the vkey. */
async function readCheckpoint(
  url: string,
  vkey: string,
): Promise<{ origin: string; treeSize: number; rootHash: Buffer }> {
  const note = (await get(`${url}/checkpoint`)).toString('utf8')
  const textEnd = note.lastIndexOf('\n\n') + 1
  demand(textEnd > 0, 'the checkpoint has no blank line before its signatures')
  const text = note.slice(0, textEnd)
  const [origin = '', size = '', root = '', ...rest] = text.split('\n')
  demand(rest.length === 1 && rest[0] === '', 'the checkpoint must have three lines')
  demand(/^(0|[1-9][0-9]*)$/.test(size), 'the size is not decimal')
  checkNoteSignature(text, note.slice(textEnd + 1), vkey)
  demand(vkey.startsWith(`${origin}+`), 'the checkpoint is of another origin')
  return { origin, treeSize: Number(size), rootHash: Buffer.from(root, 'base64') }
}

function checkNoteSignature(text: string, lines: string, vkey: string): void {
  const [, name = '', keyId = '', encoded = ''] = /^([^+]+)\+([0-9a-f]{8})\+(.+)$/.exec(vkey) ?? []
  const typed = Buffer.from(encoded, 'base64')
  demand(typed.length === 33 && typed[0] === 1, 'the vkey is not of Ed25519')
  demand(
    sha256(Buffer.from(`${name}\n`), typed)
      .subarray(0, 4)
      .toString('hex') === keyId,
    'the vkey has a wrong key ID',
  )
  const prefix = `\u2014 ${name} `
  const blobs = lines
    .split('\n')
    .filter((line) => line.startsWith(prefix))
    .map((line) => Buffer.from(line.slice(prefix.length), 'base64'))
    .filter((blob) => blob.subarray(0, 4).toString('hex') === keyId)
  demand(blobs.length === 1, 'the checkpoint has not exactly one signature by the log')
  const spki = Buffer.concat([Buffer.from('302a300506032b6570032100', 'hex'), typed.subarray(1)])
  const key = createPublicKey({ key: spki, format: 'der', type: 'spki' })
  const signature = blobs[0]?.subarray(4) ?? Buffer.alloc(0)
  demand(verify(null, Buffer.from(text), key, signature), 'the checkpoint has a bad signature')
}

async function readEntries(url: string, treeSize: number): Promise<Buffer[]> {
  const entries: Buffer[] = []
  for (let index = 0; index * 256 < treeSize; index += 1) {
    const width = Math.min(256, treeSize - index * 256)
    const bundle = await get(`${url}/tile/entries/${tileNumber(index)}${partial(width)}`)
    let offset = 0
    for (let count = 0; count < width; count += 1) {
      const length = bundle.readUInt16BE(offset)
      demand(offset + 2 + length <= bundle.length, 'an entry bundle is too short')
      entries.push(bundle.subarray(offset + 2, offset + 2 + length))
      offset += 2 + length
    }
    demand(offset === bundle.length, 'an entry bundle has bytes left over')
  }
  return entries
}

async function checkTiles(url: string, leaves: readonly Buffer[]): Promise<string[]> {
  const checked: string[] = []
  let hashes = leaves
  for (let level = 0; hashes.length > 0; level += 1) {
    const fullTileRoots: Buffer[] = []
    for (let index = 0; index * 256 < hashes.length; index += 1) {
      const expected = hashes.slice(index * 256, (index + 1) * 256)
      const path = `tile/${level}/${tileNumber(index)}${partial(expected.length)}`
      const tile = await get(`${url}/${path}`)
      demand(tile.equals(Buffer.concat(expected)), `${path} is not made of the entries’ hashes`)
      checked.push(`${level}/${index}`)
      if (expected.length === 256) fullTileRoots.push(merkleTreeHash(expected))
    }
    hashes = fullTileRoots
  }
  return checked
}

/** The Merkle tree hash of leaf hashes by the recursion of RFC 6962 §2.1, word for word. */
export function merkleTreeHash(leaves: readonly Buffer[]): Buffer {
  if (leaves.length === 0) return sha256()
  const [first] = leaves
  if (leaves.length === 1 && first !== undefined) return first
  let split = 1
  while (split * 2 < leaves.length) split *= 2
  const left = merkleTreeHash(leaves.slice(0, split))
  return sha256(Buffer.from([1]), left, merkleTreeHash(leaves.slice(split)))
}

function tileNumber(index: number): string {
  const groups = [String(index % 1000).padStart(3, '0')]
  for (let rest = Math.floor(index / 1000); rest > 0; rest = Math.floor(rest / 1000)) {
    groups.unshift(`x${String(rest % 1000).padStart(3, '0')}`)
  }
  return groups.join('/')
}

function partial(width: number): string {
  return width === 256 ? '' : `.p/${width}`
}

async function get(url: string): Promise<Buffer> {
  const response = await fetch(url, { signal: AbortSignal.timeout(30_000) })
  demand(response.status === 200, `${url} answered ${response.status}`)
  return Buffer.from(await response.arrayBuffer())
}

function sha256(...parts: readonly Uint8Array[]): Buffer {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(part)
  return hash.digest()
}

function demand(condition: boolean, problem: string): asserts condition {
  if (!condition) throw new Error(`tlog client: ${problem}`)
}

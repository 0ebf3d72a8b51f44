import { type Static, Type } from 'typebox'
import { Check } from 'typebox/schema'

import { canonicalJson, parseJson } from '#actors/values/serialization.ts'
import {
  type ChunkNames,
  isShort,
  type Recipients,
  recipientsMax,
} from '#src/keeping/backup/chunk.ts'

/** Bytes of a manifest at most: there are names of four million chunks in it. */
export const manifestBytesMax = 256 * 1_048_576

/** The newest format of manifests: a number for what older programs cannot read. */
export const backupFormat = 2

/** The format of a backup for these recipients: the oldest in which it can be written. */
export function formatFor(recipients: Recipients): number {
  return isShort(recipients) ? 1 : backupFormat
}

const manifestSchema = Type.Object(
  {
    format: Type.Integer(),
    /** Names the backup: when it was begun. */
    id: Type.String({ pattern: '^[0-9]{8}T[0-9]{6}\\.[0-9]{3}Z$' }),
    // It is shown to people before anybody knows who has written it.
    created_at: Type.String({ pattern: '^[0-9T:.Z-]{24}$' }),
    /** Recipients of age; none if it is not encrypted. */
    recipients: Type.Array(Type.String(), { maxItems: recipientsMax }),
    /** The newest signed checkpoint of each log, by the name of its environment. */
    checkpoints: Type.Record(Type.String(), Type.String()),
    /** Rows of all stores. */
    rows: Type.Integer({ minimum: 0 }),
    /** Bytes of the snapshot, before it was compressed. */
    bytes: Type.Integer({ minimum: 0 }),
    /** The names of its chunks, in their order. */
    chunks: Type.Array(Type.String({ pattern: '^[0-9a-f]{64}$' }), { minItems: 1 }),
    /** HMAC-SHA-256, under the key of the chunks' names, of the rest as canonical JSON. */
    mac: Type.String({ pattern: '^[0-9a-f]{64}$' }),
  },
  { additionalProperties: false },
)

/** What a backup consists of: everything but the rows themselves. */
export type Manifest = Static<typeof manifestSchema>

/** A manifest whose author shows that he knows the registry's secrets. */
export function signManifest(manifest: Omit<Manifest, 'mac'>, names: ChunkNames): Manifest {
  return { ...manifest, mac: names.nameOf(Buffer.from(canonicalJson(manifest))) }
}

/** Whether a manifest was written by a program that knows the registry's secrets, unchanged. */
export function isSigned({ mac, ...manifest }: Manifest, names: ChunkNames): boolean {
  return names.isNameOf(mac, Buffer.from(canonicalJson(manifest)))
}

/** Reads a manifest, whose author is not known yet; undefined if it is none. */
export function parseManifest(bytes: Uint8Array): Manifest | undefined {
  const value = parseJson(Buffer.from(bytes).toString('utf8'))
  return Check(manifestSchema, value) && isTime(value.id) ? value : undefined
}

/** The names of chunks that stand in a manifest, however damaged it is. */
export function chunkNamesIn(bytes: Uint8Array): readonly string[] {
  return (
    Buffer.from(bytes)
      .toString('latin1')
      .match(/(?<![0-9a-f])[0-9a-f]{64}(?![0-9a-f])/g) ?? []
  )
}

/** The folder of all manifests. */
export const manifestFolder = 'backups/'

/** The file of a manifest. */
export function manifestFile(id: string): string {
  return `${manifestFolder}${id}.json`
}

/** The id of the backup that a file is the manifest of; undefined for other files. */
export function manifestIdOf(file: string): string | undefined {
  return /^backups\/([0-9]{8}T[0-9]{6}\.[0-9]{3}Z)\.json$/.exec(file)?.[1]
}

/** The id of a backup that is begun at a moment, in milliseconds since 1970. */
export function backupId(nowMs: number): string {
  return new Date(nowMs).toISOString().replaceAll(/[-:]/g, '')
}

/** When the backup of an id was begun, in milliseconds since 1970. */
export function backupMs(id: string): number {
  const [, day, hours, minutes, rest] = /^(.{8})T(..)(..)(.+)$/.exec(id) ?? []
  const date = day?.replace(/^(....)(..)(..)$/, '$1-$2-$3')
  return Date.parse(`${date}T${hours}:${minutes}:${rest}`)
}

function isTime(id: string): boolean {
  const ms = backupMs(id)
  return Number.isFinite(ms) && backupId(ms) === id
}

/** The folder of all chunks. */
export const chunkFolder = 'chunks/'

/** The file of a chunk, by its name and whom it is for. */
export function chunkFile(name: string, recipients: readonly string[]): string {
  const ending = recipients.length > 0 ? 'zst.age' : 'zst'
  return `${chunkFolder}${name.slice(0, 2)}/${name}.${ending}`
}

/** The name of the chunk that a file holds; undefined for other files. */
export function chunkNameOf(file: string): string | undefined {
  return /^chunks\/[0-9a-f]{2}\/([0-9a-f]{64})\.zst(?:\.age)?$/.exec(file)?.[1]
}

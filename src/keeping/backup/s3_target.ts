import { Readable } from 'node:stream'
import {
  DeleteObjectCommand,
  GetObjectCommand,
  ListObjectsV2Command,
  NoSuchKey,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3'

import { BackupError, type BackupTarget, tooLong } from '#src/keeping/backup/backup_target.ts'

/** Where in an S3-compatible store backups are kept: the folder ends in a slash, or is empty. */
export type S3Place = { readonly bucket: string; readonly folder: string }

/** How often a request is made, at most; and how long one may take to connect, and in all. */
const attemptsMax = 5
const connectMs = 10_000
const requestMs = 300_000

/** Parses `s3://bucket/folder`; undefined for what is none. */
export function parseS3Place(address: string): S3Place | undefined {
  const match = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/(.*))?$/.exec(address)
  if (match === null) return undefined
  const [, bucket = '', rest = ''] = match
  const folder = rest.split('/').filter(Boolean).join('/')
  return { bucket, folder: folder === '' ? '' : `${folder}/` }
}

/**
 * Backups in a bucket of Amazon S3, or of a store that speaks its protocol. Who one is, where the
 * store is and in which region is told as the clients of S3 are told everywhere: by the environment
 * (`AWS_ACCESS_KEY_ID`, `AWS_SECRET_ACCESS_KEY`, `AWS_ENDPOINT_URL`, `AWS_REGION` and so on), or by
 * the files and services that these name.
 */
export class S3Target implements BackupTarget {
  readonly #client: S3Client
  readonly #place: S3Place

  constructor(place: S3Place, environment: NodeJS.ProcessEnv) {
    const { AWS_ENDPOINT_URL, AWS_ENDPOINT_URL_S3, AWS_REGION, AWS_DEFAULT_REGION } = environment
    const isElsewhere = (AWS_ENDPOINT_URL_S3 ?? AWS_ENDPOINT_URL) !== undefined
    const hasRegion = (AWS_REGION ?? AWS_DEFAULT_REGION) !== undefined
    this.#place = place
    this.#client = new S3Client({
      maxAttempts: attemptsMax,
      requestHandler: { connectionTimeout: connectMs, requestTimeout: requestMs },
      // Not every store knows the newer checksums, and what is read has a digest of its own.
      requestChecksumCalculation: 'WHEN_REQUIRED',
      responseChecksumValidation: 'WHEN_REQUIRED',
      // Few stores have a host name for each bucket, and most do not look at the region.
      ...(isElsewhere && { forcePathStyle: true, ...(!hasRegion && { region: 'us-east-1' }) }),
    })
  }

  async list(prefix: string): Promise<readonly string[]> {
    const { bucket, folder } = this.#place
    const names: string[] = []
    let page: string | undefined
    do {
      const command = new ListObjectsV2Command({
        Bucket: bucket,
        Prefix: folder + prefix,
        ...(page !== undefined && { ContinuationToken: page }),
      })
      const { Contents: objects = [], NextContinuationToken: next } = await this.#try(() =>
        this.#client.send(command),
      )
      for (const { Key: key = '' } of objects) {
        // Consoles keep an empty object with the name of each folder.
        if (!key.endsWith('/')) names.push(key.slice(folder.length))
      }
      page = next
    } while (page !== undefined)
    return names
  }

  async read(name: string, bytesMax: number): Promise<Buffer | undefined> {
    const bytes = await this.#try(() => this.#readUpTo(name, bytesMax))
    if (bytes === 'too long') throw tooLong(name, bytesMax)
    return bytes
  }

  async #readUpTo(name: string, bytesMax: number): Promise<Buffer | 'too long' | undefined> {
    const command = new GetObjectCommand(this.#object(name))
    try {
      const { Body: body, ContentLength: length = 0 } = await this.#client.send(command)
      if (length > bytesMax) {
        if (body instanceof Readable) body.destroy()
        return 'too long'
      }
      return Buffer.from((await body?.transformToByteArray()) ?? [])
    } catch (error) {
      if (error instanceof NoSuchKey) return undefined
      throw error
    }
  }

  async write(name: string, bytes: Uint8Array): Promise<void> {
    const command = new PutObjectCommand({ ...this.#object(name), Body: bytes })
    await this.#try(() => this.#client.send(command))
  }

  async remove(name: string): Promise<void> {
    await this.#try(() => this.#client.send(new DeleteObjectCommand(this.#object(name))))
  }

  #object(name: string): { readonly Bucket: string; readonly Key: string } {
    return { Bucket: this.#place.bucket, Key: this.#place.folder + name }
  }

  async #try<Done>(attempt: () => Promise<Done>): Promise<Done> {
    try {
      return await attempt()
    } catch (cause) {
      const { name, message } = cause as Error
      throw new BackupError(
        'target_failed',
        `s3://${this.#place.bucket}/${this.#place.folder} cannot be used (${name}: ${message}). ` +
          'Check the bucket, the key and the address of the store (AWS_ACCESS_KEY_ID, ' +
          'AWS_SECRET_ACCESS_KEY, AWS_ENDPOINT_URL, AWS_REGION), and run the command again: it ' +
          'does not rewrite what is already there.',
        { cause },
      )
    }
  }
}

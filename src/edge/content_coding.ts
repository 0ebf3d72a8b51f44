import { promisify } from 'node:util'
import { brotliCompress, constants, deflate, gzip } from 'node:zlib'

/** The content codings that a reply can have, the better one first, as Identify lists them. */
export const contentCodings = ['br', 'gzip', 'deflate'] as const

/** One of them. */
export type ContentCoding = (typeof contentCodings)[number]

const brotli = promisify(brotliCompress)

// As fast as gzip at its default, and a tenth smaller; what takes longer saves little more.
const brotliQuality = 4

const encoders = {
  br(body: string | Uint8Array): Promise<Buffer> {
    const { BROTLI_PARAM_QUALITY, BROTLI_PARAM_SIZE_HINT } = constants
    const params = { [BROTLI_PARAM_QUALITY]: brotliQuality, [BROTLI_PARAM_SIZE_HINT]: body.length }
    return brotli(body, { params })
  },
  gzip: promisify(gzip),
  deflate: promisify(deflate),
}

/** The coding that an Accept-Encoding header wants most (RFC 9110 §12.5.3); undefined for none. */
export function chooseCoding(accept: string | undefined): ContentCoding | undefined {
  if (accept === undefined) return undefined
  const qualities = new Map(accept.split(',').map(readCoding))
  const qualityOf = (coding: string) => qualities.get(coding) ?? qualities.get('*') ?? 0
  const [best] = contentCodings.toSorted((a, b) => qualityOf(b) - qualityOf(a))
  return best !== undefined && qualityOf(best) > 0 ? best : undefined
}

function readCoding(text: string): [coding: string, quality: number] {
  const [coding = '', ...parameters] = text.split(';').map((part) => part.trim().toLowerCase())
  const weight = parameters.find((parameter) => parameter.startsWith('q='))
  const quality = weight === undefined ? 1 : Number(weight.slice('q='.length))
  return [coding === 'x-gzip' ? 'gzip' : coding, Number.isNaN(quality) ? 0 : quality]
}

/** A text, or bytes, in a content coding, made in a thread of the system's pool. */
export function encodeContent(body: string | Uint8Array, coding: ContentCoding): Promise<Buffer> {
  return encoders[coding](body)
}

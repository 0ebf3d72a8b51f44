/** A datestamp as harvesters write it; `seconds` since 1970 is its beginning. */
export type ParsedDatestamp = {
  readonly granularity: 'day' | 'second'
  readonly seconds: number
}

const daySeconds = 86_400

const form = /^(?!0000)\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}:\d{2}Z)?$/

/**
 * Parses `YYYY-MM-DD` or `YYYY-MM-DDThh:mm:ssZ` (OAI-PMH 2.0, section 3.3); undefined if it is
 * neither, or a day or an hour that does not exist.
 */
export function parseDatestamp(text: string): ParsedDatestamp | undefined {
  const match = form.exec(text)
  if (match === null) return undefined
  const timeMs = Date.parse(text)
  if (Number.isNaN(timeMs)) return undefined
  const seconds = timeMs / 1_000
  if (!formatDatestamp(seconds).startsWith(text)) return undefined
  return { granularity: match[1] === undefined ? 'day' : 'second', seconds }
}

/** The last second that a datestamp includes: of a day, its end. */
export function lastSecond({ granularity, seconds }: ParsedDatestamp): number {
  return granularity === 'day' ? seconds + daySeconds - 1 : seconds
}

/** Seconds since 1970 as `YYYY-MM-DDThh:mm:ssZ`. */
export function formatDatestamp(seconds: number): string {
  return `${new Date(seconds * 1_000).toISOString().slice(0, 19)}Z`
}

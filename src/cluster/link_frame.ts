/**
 * What two nodes send each other over a link. A link begins with `open`. `texts` are numbered from
 * 0. A `beat` says how many of them were sent before it, so that none is lost unnoticed. `end` is
 * the last.
 */
export type LinkFrame =
  | { readonly type: 'open' }
  | { readonly type: 'texts'; readonly number: number; readonly texts: readonly string[] }
  | { readonly type: 'beat'; readonly sent: number }
  | { readonly type: 'end' }

/** `texts 7 12,3` and a line feed, then texts of 12 and 3 UTF-16 units; `beat 8`; `open`; `end`. */
export function encodeFrame(frame: LinkFrame): string {
  switch (frame.type) {
    case 'texts': {
      const lengths = frame.texts.map((text) => text.length).join(',')
      return `texts ${frame.number} ${lengths}\n${frame.texts.join('')}`
    }
    case 'beat':
      return `beat ${frame.sent}`
    case 'open':
    case 'end':
      return frame.type
  }
}

const numbered = /^(texts|beat) (\d{1,15})(?: (\d{1,9}(?:,\d{1,9})*))?$/

/** Reads what `encodeFrame` wrote. Undefined: it is nothing of the kind. */
export function decodeFrame(message: string): LinkFrame | undefined {
  if (message === 'open' || message === 'end') return { type: message }
  const end = message.indexOf('\n')
  const head = end === -1 ? message : message.slice(0, end)
  const [, type, number = '', lengths] = numbered.exec(head) ?? []
  if (type === 'beat' && end === -1 && lengths === undefined) {
    return { type, sent: Number(number) }
  }
  if (type !== 'texts' || end === -1 || lengths === undefined) return undefined
  const texts = cut(message, end + 1, lengths.split(',').map(Number))
  return texts && { type, number: Number(number), texts }
}

/** The texts of a message from `start`, by their lengths. Undefined unless they are all of it. */
function cut(
  message: string,
  start: number,
  lengths: readonly number[],
): readonly string[] | undefined {
  let from = start
  const texts: string[] = []
  for (const length of lengths) {
    texts.push(message.slice(from, from + length))
    from += length
  }
  return from === message.length ? texts : undefined
}

/** A record of a RIS file: its tags with the texts that they have, in order. */
export type RisChunk = {
  /** Where it begins, from 1. */
  readonly line: number
  readonly tags: ReadonlyMap<string, readonly string[]>
}

// Two spaces by the rules; some programs write one.
const tagForm = /^\s*([A-Z][A-Z0-9]) {2}-(?:\s+(.*))?$/
const shortTagForm = /^\s*([A-Z][A-Z0-9]) {1,2}-(?:\s+(.*))?$/

/**
 * The records of a RIS file, in order. A record begins with TY, or with what follows ER; a line
 * that begins with no tag goes on with the text before it.
 */
export function splitRis(text: string): readonly RisChunk[] {
  const lines = text.split(/\r\n|\n|\r/)
  const form = lines.some((line) => tagForm.exec(line)?.[1] === 'TY') ? tagForm : shortTagForm
  const records: { line: number; tags: Map<string, string[][]> }[] = []
  let record: (typeof records)[number] | undefined
  let texts: string[][] | undefined
  for (const [index, content] of lines.entries()) {
    const [, tag, value = ''] = form.exec(content) ?? []
    if (tag === undefined) {
      const more = content.trim()
      if (more !== '') texts?.at(-1)?.push(more)
      continue
    }
    if (tag === 'ER') {
      record = undefined
      texts = undefined
      continue
    }
    if (record === undefined || tag === 'TY') {
      record = { line: index + 1, tags: new Map() }
      records.push(record)
    }
    texts = record.tags.get(tag) ?? []
    record.tags.set(tag, texts)
    texts.push([value.trim()])
  }
  return records.map(joinLines)
}

function joinLines({ line, tags }: { line: number; tags: Map<string, string[][]> }): RisChunk {
  const joined = [...tags].map(([tag, texts]): [string, readonly string[]] => {
    return [tag, texts.map((lines) => lines.join(' ').trim())]
  })
  return { line, tags: new Map(joined) }
}

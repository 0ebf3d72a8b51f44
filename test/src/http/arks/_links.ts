// Link headers as a client reads them: by the grammar of RFC 8288 §3, not by how we write them.

export type ReadLink = { readonly href: string } & Readonly<Record<string, string>>

/** The links of a header, or of a link set as text, in their order. */
export function parseLinks(header: string): ReadLink[] {
  const links: ReadLink[] = []
  const pattern = /\s*<([^>]*)>((?:\s*;\s*[\w*-]+="(?:[^"\\]|\\.)*")*)\s*(?:,|$)/gy
  while (pattern.lastIndex < header.length) {
    const match = pattern.exec(header)
    if (match === null) throw new Error(`no link in ${header}`)
    const [, href = '', parameters = ''] = match
    const pairs = [...parameters.matchAll(/([\w*-]+)="((?:[^"\\]|\\.)*)"/g)]
    const attributes = pairs.map(([, name = '', value = '']) => [
      name,
      value.replace(/\\(.)/g, '$1'),
    ])
    links.push({ href, ...(Object.fromEntries(attributes) as Record<string, string>) })
  }
  return links
}

// What people call the fields of metadata, in the middle of a sentence.
const fieldNames: Readonly<Record<string, string>> = {
  work_title: 'title',
  work_type: 'type',
  authors: 'authors',
  author_details: 'details of authors',
  description: 'abstract',
  work_url: 'address of the content',
  existing_doi: 'DOI',
  keywords: 'keywords',
  language: 'language',
  license: 'license',
  published_date: 'date of publication',
  publisher_name: 'publisher',
  container_title: 'container',
  volume: 'volume',
  issue: 'issue',
  pages: 'pages',
  related_identifiers: 'related identifiers',
  funding: 'funding',
  content_hash: 'declared hash of the content',
}

/** Names fields as people do: `title, abstract and DOI`. */
export function nameFields(fields: readonly string[]): string {
  const names = fields.map((field) => fieldNames[field] ?? field)
  if (names.length < 2) return names.join('')
  return `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`
}

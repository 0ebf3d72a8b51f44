import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { pathToFileURL } from 'node:url'

const nativeSchema = new URL('../../../../src/discovery/oai/svc.xsd', import.meta.url)

/** The element around DataCite's metadata: what is in it has no schema here. */
const dataciteSchema = `<?xml version="1.0" encoding="UTF-8"?>
<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema"
  targetNamespace="http://schema.datacite.org/oai/oai-1.1/">
  <xs:element name="oai_datacite"><xs:complexType><xs:sequence>
    <xs:any processContents="skip" maxOccurs="unbounded"/>
  </xs:sequence></xs:complexType></xs:element>
</xs:schema>
`

/** Files given to one run of xmllint, which reads JATS and MathML for five seconds before them. */
const filesAtOnce = 5_000

/** Bytes that xmllint may say. */
const outputBytesMax = 64 * 1_048_576

/**
 * Writes a schema of all that replies hold into a folder: the protocol and Dublin Core as
 * `schemaFolder` has them, our own form, and the frame of DataCite's. Gives its file.
 */
export async function writeReplySchema(schemaFolder: string, folder: string): Promise<string> {
  const addressOf = (name: string) => pathToFileURL(path.resolve(schemaFolder, name)).href
  const datacite = path.join(folder, 'datacite.xsd')
  await writeFile(datacite, dataciteSchema)
  const imports = [
    ['http://www.openarchives.org/OAI/2.0/', addressOf('OAI-PMH.xsd')],
    ['http://www.openarchives.org/OAI/2.0/oai_dc/', addressOf('oai_dc.xsd')],
    ['http://schema.datacite.org/oai/oai-1.1/', pathToFileURL(datacite).href],
    ['urn:x-svc:oai:1', nativeSchema.href],
  ]
  const lines = imports.map(
    ([namespace, schema]) => `  <xs:import namespace="${namespace}" schemaLocation="${schema}"/>`,
  )
  const file = path.join(folder, 'replies.xsd')
  const root = '<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema">'
  await writeFile(file, [root, ...lines, '</xs:schema>\n'].join('\n'))
  return file
}

/** Faults of files by their paths, as xmllint words them; a file that is valid has none. */
export async function checkFiles(
  schema: string,
  files: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const faults = new Map<string, string>()
  for (let at = 0; at < files.length; at += filesAtOnce) {
    const some = files.slice(at, at + filesAtOnce)
    const words = await runXmllint(['--nonet', '--noout', '--schema', schema, ...some])
    const lines = new Set(words.split('\n'))
    for (const file of some.filter((each) => !lines.has(`${each} validates`))) {
      const said = [...lines].filter((line) => line.startsWith(file))
      faults.set(file, said.join('\n') || words)
    }
  }
  return faults
}

function runXmllint(args: readonly string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    execFile('xmllint', args, { maxBuffer: outputBytesMax }, (error, _stdout, stderr) => {
      if (error?.code !== 'ENOENT') return resolve(stderr)
      reject(new Error('xmllint is not installed; Debian has it in libxml2-utils'))
    })
  })
}

// Holds replies of every verb, format and error against the XML schemas of a folder:
//   node test/src/discovery/oai/check_replies.ts FOLDER [URL]
// FOLDER has OAI-PMH.xsd, oai_dc.xsd and what they import. Without the address of a repository, one
// of made-up records is asked.

import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'

import { listReplies, plainRequests } from '#test/src/discovery/oai/_reply_requests.ts'
import { checkFiles, writeReplySchema } from '#test/src/discovery/oai/_reply_schema.ts'
import { earliest, metadata, openRepository, workOf } from '#test/src/discovery/oai/_repository.ts'

type Ask = (query: string) => Promise<string>

/** Asks a repository of made-up records, some of them deleted, that says of itself it is real. */
function askMadeUp(): Ask {
  const { source, answer } = openRepository()
  for (let n = 0; n < 25; n += 1) {
    const described = { ...metadata, work_title: `Work ${n} \u0001 <&"']]> \u{1F4DA}` }
    source.put({
      ark: `ark:/12345/k2w${n}`,
      datestamp: earliest + n,
      sets: n % 3 === 0 ? [] : ['press'],
      ...(n % 5 !== 0 && { work: workOf(described) }),
    })
  }
  return answer
}

function askAt(url: string): Ask {
  return async (query) => {
    const response = await fetch(`${url}?${query}`)
    if (response.status === 200) return response.text()
    throw new Error(`${url}?${query} is answered with ${response.status}`)
  }
}

async function check(schemaFolder: string, ask: Ask): Promise<void> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'arklog-replies-'))
  try {
    const schema = await writeReplySchema(schemaFolder, folder)
    const names = new Map<string, string>()
    const keep = async (name: string, xml: string) => {
      const file = path.join(folder, `${names.size}.xml`)
      names.set(file, name)
      await writeFile(file, xml)
    }
    for (const { name, query } of plainRequests) await keep(name, await ask(query))
    for await (const { name, xml } of listReplies(ask)) await keep(name, xml)
    const faults = await checkFiles(schema, [...names.keys()])
    for (const [file, words] of faults) process.stdout.write(`${names.get(file)}\n${words}\n`)
    const valid = names.size - faults.size
    process.stdout.write(`${valid} of ${names.size} replies are valid\n`)
    process.exitCode = faults.size === 0 ? 0 : 1
  } finally {
    await rm(folder, { recursive: true })
  }
}

const [schemaFolder, url] = process.argv.slice(2)
if (schemaFolder === undefined) {
  process.stderr.write('Name the folder of OAI-PMH.xsd: npm run check:oai -- FOLDER [URL]\n')
  process.exitCode = 2
} else {
  await check(schemaFolder, url === undefined ? askMadeUp() : askAt(url)).catch(
    (error: unknown) => {
      process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
      process.exitCode = 2
    },
  )
}

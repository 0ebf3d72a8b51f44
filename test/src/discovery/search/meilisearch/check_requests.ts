// Holds every request that we make of Meilisearch against the server's own description:
//   node test/src/discovery/search/meilisearch/check_requests.ts OPENAPI-FILE

import { readFile } from 'node:fs/promises'
import { Ajv2020 } from 'ajv/dist/2020.js'

import { recordRequests } from '#test/src/discovery/search/meilisearch/_recording_server.ts'

type Operation = {
  readonly parameters?: readonly { readonly name: string; readonly in: string }[]
  readonly requestBody?: {
    readonly content: Readonly<Record<string, { readonly schema?: object }>>
  }
}

type Description = {
  readonly info: { readonly version: string }
  readonly components: { readonly schemas: Record<string, object> }
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
}

const [file] = process.argv.slice(2)
if (file === undefined) throw new Error('name the OpenAPI file of a Meilisearch server')
const description = JSON.parse(await readFile(file, 'utf8')) as Description
// The server and its client take a list of names as facets; the description has an object there.
description.components.schemas['AttributePatterns'] = { type: 'array', items: { type: 'string' } }
const ajv = new Ajv2020({ strict: false, validateFormats: false })
ajv.addSchema(description, 'server')

function operationOf(method: string, path: string): [string, Operation] | undefined {
  const candidates = Object.keys(description.paths).filter((pattern) => {
    const segments = pattern.split('/').map((part) => (part.startsWith('{') ? '[^/]+' : part))
    return new RegExp(`^${segments.join('/')}$`).test(path)
  })
  // A path without a parameter is meant before one with.
  const pattern = candidates.toSorted((a, b) => a.split('{').length - b.split('{').length)[0]
  const operation = pattern && description.paths[pattern]?.[method.toLowerCase()]
  return pattern !== undefined && operation ? [pattern, operation] : undefined
}

const faults: string[] = []
const requests = await recordRequests()
for (const { method, path, query, body } of requests) {
  const found = operationOf(method, path)
  if (found === undefined) {
    faults.push(`${method} ${path}: there is no such operation`)
    continue
  }
  const [pattern, { parameters = [], requestBody }] = found
  const known = parameters.filter((one) => one.in === 'query').map(({ name }) => name)
  for (const name of Object.keys(query)) {
    if (!known.includes(name)) faults.push(`${method} ${path}: no parameter ${name}`)
  }
  const schema = requestBody?.content['application/json']?.schema
  if ((schema === undefined) !== (body === undefined)) {
    faults.push(`${method} ${path}: a body is ${body === undefined ? 'wanted' : 'too much'}`)
  }
  if (schema === undefined || body === undefined) continue
  const pointer = ['paths', pattern, method.toLowerCase(), 'requestBody', 'content']
  const escaped = [...pointer, 'application/json', 'schema'].map((part) =>
    encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1')),
  )
  const validate = ajv.compile({ $ref: `server#/${escaped.join('/')}` })
  if (!validate(body)) faults.push(`${method} ${path}: ${ajv.errorsText(validate.errors)}`)
}
const { version } = description.info
process.stdout.write(
  `${requests.length} requests, ${faults.length} faults, Meilisearch ${version}\n`,
)
for (const fault of faults) process.stdout.write(`${fault}\n`)
process.exitCode = faults.length === 0 ? 0 : 1

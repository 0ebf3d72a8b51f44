import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { type Static, Type } from 'typebox'
import { Check, Errors } from 'typebox/schema'

import { ConfigError } from '#config/settings.ts'
import { isLoopback } from '#src/identity/oauth/application_check.ts'
import { readSecretFile } from '#src/keeping/data_dir/secret_file.ts'

const key = 'UPSTREAM_ISSUERS'
const issuersMax = 20

const issuerSchema = Type.Object(
  {
    /** Names it in addresses, for ever: the callback registered there has it in it. */
    id: Type.String({ pattern: '^[a-z0-9-]{1,32}$' }),
    /** What people see it called. */
    name: Type.String({ minLength: 1, maxLength: 60 }),
    issuer: Type.String({ pattern: '^https?://[^?#@\\s]+$', maxLength: 500 }),
    client_id: Type.String({ minLength: 1, maxLength: 500 }),
    client_secret_file: Type.Optional(Type.String({ minLength: 1 })),
    scopes: Type.Optional(Type.Array(Type.String({ minLength: 1 }), { maxItems: 20 })),
    /** Whether `sub` is an ORCID iD, which is then the person's. */
    orcid: Type.Optional(Type.Boolean()),
  },
  { additionalProperties: false },
)

const fileSchema = Type.Array(issuerSchema, { maxItems: issuersMax })

/** An OpenID Provider elsewhere that people may sign in with. */
export type UpstreamIssuer = Omit<Static<typeof issuerSchema>, 'client_secret_file' | 'scopes'> & {
  readonly secret: string | undefined
  readonly scopes: readonly string[]
  readonly orcid: boolean
}

/**
 * Reads the list of issuers in a JSON file, and their secrets, each in a file that only its owner
 * may read; paths are from the folder of the list. Errors: ConfigError; StartError of a secret.
 */
export async function readUpstreamIssuers(file: string): Promise<readonly UpstreamIssuer[]> {
  const listed = await readList(file)
  const ids = listed.map(({ id }) => id)
  const twice = ids.find((id, index) => ids.indexOf(id) !== index)
  if (twice !== undefined) throw wrong(file, `has the id "${twice}" twice`)
  const open = listed.find(({ issuer }) => issuer.startsWith('http:') && !isLoopback(issuer))
  if (open !== undefined) throw wrong(file, `has the issuer ${open.issuer}, which is not https`)
  return Promise.all(
    listed.map(async ({ client_secret_file: secretFile, ...issuer }) => ({
      ...issuer,
      secret: secretFile === undefined ? undefined : await readSecret(file, secretFile),
      scopes: issuer.scopes ?? ['openid'],
      orcid: issuer.orcid ?? false,
    })),
  )
}

async function readList(file: string): Promise<Static<typeof fileSchema>> {
  let value: unknown
  try {
    value = JSON.parse(await readFile(file, 'utf8'))
  } catch (error) {
    throw wrong(file, `cannot be read as JSON (${(error as Error).message})`)
  }
  if (Check(fileSchema, value)) return value
  const [, [first]] = Errors(fileSchema, value)
  throw wrong(file, `is not a list of issuers: ${first?.instancePath} ${first?.message}`)
}

async function readSecret(listFile: string, secretFile: string): Promise<string> {
  const secret = await readSecretFile(path.resolve(path.dirname(listFile), secretFile))
  return secret.toString().trim()
}

function wrong(file: string, what: string): ConfigError {
  return new ConfigError([{ key, message: `${key}: the file ${file} ${what}.` }])
}

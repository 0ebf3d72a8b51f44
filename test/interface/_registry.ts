import { fork } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs/promises'
import path from 'node:path'

import { openContentSite } from '#test/interface/_content_site.ts'
import type { InstitutionFacts, InstitutionOrder } from '#test/interface/_institution_process.ts'
import type { Place } from '#test/interface/_world.ts'
import { newDataDir, type Server, type Settings, startServer } from '#test/scenario/_process.ts'
import type { Owner } from '#test/src/delivery/fetch/_servers.ts'
import { freePort } from '#test/_free_port.ts'

/** By what the institution is named in addresses. */
export const institutionId = 'institution'

/**
 * Starts a registry of its own for the rows, in a folder that is removed afterwards, with content
 * that it may read and an institution whose people it lets in. Nobody is refused for a limit there.
 */
export async function startRegistry(owner: Owner): Promise<Place> {
  const port = await freePort()
  const content = await openContentSite(owner)
  const callback = `http://127.0.0.1:${port}/auth/login/${institutionId}/callback`
  const { facts, as } = await openInstitution(owner, callback)
  const institution = { issuer: facts.issuer, as }
  const dataDir = await newDataDir(owner)
  const settings = {
    DATA_DIR: dataDir,
    PORT: String(port),
    RATE_LIMITS: 'off',
    FETCH_CONTENT: 'on',
    FETCH_ALLOW: content.hostPort,
    FETCH_HOST_INTERVAL_MS: '0',
    UPSTREAM_ISSUERS: await writeIssuers(path.dirname(dataDir), facts),
    LOG_LEVEL: 'trace',
  }
  const server = await startServer(owner, settings)
  let log = ''
  server.child.stderr?.on('data', (chunk) => (log += chunk))
  return { ...placeOf(server, settings), content, institution, logged: () => log }
}

/** A registry with all its limits as they are unless told, which mints ARKs with their day. */
export async function startLimitedRegistry(owner: Owner): Promise<Server> {
  // The address of a client is what the proxy says, so that one program can come from several.
  const settings = { TRUST_PROXY: '127.0.0.1', ARK_DATED: 'on' }
  return startServer(owner, { ...settings, DATA_DIR: await newDataDir(owner) })
}

function placeOf({ started }: Server, settings: Settings) {
  return { baseUrl: started.base_url, authUrl: `${started.base_url}/auth`, settings }
}

/** Writes the list of institutions, with the secret that the registry has at the one it has. */
async function writeIssuers(
  folder: string,
  { issuer, client_id, client_secret }: InstitutionFacts,
): Promise<string> {
  const secret = path.join(folder, 'institution.secret')
  await fs.writeFile(secret, `${client_secret}\n`, { mode: 0o600 })
  const file = path.join(folder, 'issuers.json')
  const one = {
    id: institutionId,
    name: 'The University',
    issuer,
    client_id,
    client_secret_file: 'institution.secret',
    scopes: ['openid', 'profile', 'email'],
  }
  await fs.writeFile(file, JSON.stringify([one]))
  return file
}

/** Starts an institution, at which whoever comes is signed in at once. */
async function openInstitution(owner: Owner, callback: string) {
  const file = new URL('./_institution_process.ts', import.meta.url)
  const child = fork(file.pathname, [callback], { stdio: ['ignore', 'ignore', 'ignore', 'ipc'] })
  owner.teardown(() => child.kill())
  const ask = async (order: InstitutionOrder): Promise<InstitutionFacts> => {
    const answer = once(child, 'message')
    child.send(order)
    return (await answer)[0] as InstitutionFacts
  }
  const facts = await ask('nobody')
  return { facts, as: (sub: string, claims: object) => ask({ sub, claims }) }
}

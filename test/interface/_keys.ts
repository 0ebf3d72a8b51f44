import type { World } from '#test/interface/_world.ts'

type NewKey = { readonly id: string; readonly key: string; readonly expires_at: string }

/** The organization that keys of the rows act for. */
export const organization = 'demo'

/** A key of the organization that has so many scopes and no more. */
export function keyOf(world: World, ...scopes: readonly string[]): Promise<string> {
  return madeKey(world, `org:${organization}`, 'live', scopes)
}

/** The same for the sandbox. */
export function sandboxKeyOf(world: World, ...scopes: readonly string[]): Promise<string> {
  return madeKey(world, `org:${organization}`, 'sandbox', scopes)
}

/** A key of another organization. */
export async function keyOfOthers(world: World, ...scopes: readonly string[]): Promise<string> {
  const slug = `others-${world.run}`
  await world.once('other organization', () =>
    world.command('organization', 'create', slug, '--name', `Others ${world.run}`),
  )
  return madeKey(world, `org:${slug}`, 'live', scopes)
}

/** A key of the operator with `admin:*`. */
export function adminKey(world: World): Promise<string> {
  return madeKey(world, 'operator', 'live', ['admin:*'], '--ip', '127.0.0.1,::1')
}

/** A code that confirms one call with `admin:*`. */
export async function adminCode(world: World): Promise<string> {
  const { code } = await world.command<{ code: string }>('key', 'confirm')
  return code
}

/** A key that nobody else in this run has, with all that its making told. */
export function newKey(
  world: World,
  scopes: readonly string[],
  ...options: readonly string[]
): Promise<NewKey> {
  const owner = `org:${organization}`
  return world.command('key', 'create', '--owner', owner, '--scopes', scopes.join(), ...options)
}

function madeKey(
  world: World,
  owner: string,
  environment: string,
  scopes: readonly string[],
  ...options: readonly string[]
): Promise<string> {
  const list = scopes.join()
  return world.once(`key ${owner} ${environment} ${list}`, async () => {
    const create = ['key', 'create', '--owner', owner, '--environment', environment]
    const { key } = await world.command<NewKey>(...create, '--scopes', list, ...options)
    return key
  })
}

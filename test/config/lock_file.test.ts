import { readFile } from 'node:fs/promises'
import test from 'ava'

type Package = {
  readonly resolved?: string
  /** Of a package that is a folder of ours: `resolved` is then that folder. */
  readonly link?: true
  readonly optionalDependencies?: Readonly<Record<string, string>>
}

async function readPackages(): Promise<Readonly<Record<string, Package>>> {
  const lock = JSON.parse(await readFile('package-lock.json', 'utf8')) as {
    packages: Readonly<Record<string, Package>>
  }
  return lock.packages
}

test('the lock file names no registry', async (t) => {
  const packages = await readPackages()
  for (const [name, { resolved, link }] of Object.entries(packages)) {
    if (link === true) t.true((resolved ?? '') in packages, name)
    else t.is(resolved, undefined, name)
  }
})

// npm ci refuses a lock file that lacks what another platform would install.
test('the lock file has the packages of every platform', async (t) => {
  const packages = await readPackages()
  const missing = Object.entries(packages).flatMap(([path, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies).filter(
      (name) => !(`${path}/node_modules/${name}` in packages || `node_modules/${name}` in packages),
    ),
  )
  t.deepEqual(missing, [])
})

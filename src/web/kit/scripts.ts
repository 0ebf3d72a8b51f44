import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'

import type { Asset } from '#src/web/kit/assets.ts'

// What a module of ours imports, by the name that it has here.
const importedName = /'#src\/web\/browser\/(\w+)\.js'/g

const modules = new Map<string, Asset>()

/**
 * Reads a module that browsers run. Its path names its content and, because the paths of what it
 * imports stand in there, the content of those, too.
 */
function readModule(name: string): Asset {
  const known = modules.get(name)
  if (known !== undefined) return known
  const source = readFileSync(new URL(`../browser/${name}.js`, import.meta.url), 'utf8')
  const content = source.replaceAll(importedName, (_all, imported: string) => {
    return `'.${fileOf(readModule(imported))}'`
  })
  const digest = hash('sha256', content).slice(0, 16)
  const asset = {
    path: `/assets/${name}.${digest}.js`,
    type: 'text/javascript; charset=utf-8',
    content: Buffer.from(content),
  }
  modules.set(name, asset)
  return asset
}

function fileOf({ path }: Asset): string {
  return path.slice('/assets'.length)
}

/** What the page of a work can do where scripts run: copy, and check its receipt. */
export const landingScript = readModule('landing')

/** All modules, those that only others import too. */
export const scripts: readonly Asset[] = [...modules.values()]

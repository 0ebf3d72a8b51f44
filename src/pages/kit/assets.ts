import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { FastifyInstance } from 'fastify'

/** A file that pages load: its path, which also is below the auth prefix, names its content. */
export type Asset = { readonly path: string; readonly type: string; readonly content: Buffer }

function readAsset(name: string, type: string): Asset {
  const content = readFileSync(new URL(name, import.meta.url))
  const digest = hash('sha256', content).slice(0, 16)
  return { path: `/assets/${name.replace('.', `.${digest}.`)}`, type, content }
}

/** The stylesheet of all pages. */
export const stylesheet = readAsset('style.css', 'text/css; charset=utf-8')

/** What a browser shows beside the title of a page. */
export const icon = readAsset('icon.svg', 'image/svg+xml')

/** The same under the names that browsers ask for without being told, where they know no SVG. */
const iconsByName = [
  ['/favicon.ico', 'favicon.ico', 'image/x-icon'],
  ['/apple-touch-icon.png', 'apple-touch-icon.png', 'image/png'],
  ['/apple-touch-icon-precomposed.png', 'apple-touch-icon.png', 'image/png'],
] as const

/** The stylesheet of the pages of works, after the common one. */
export const landingStyle = readAsset('landing.css', 'text/css; charset=utf-8')

/** The stylesheet of the first page, of search and of lists for readers, after the common one. */
export const publicStyle = readAsset('public.css', 'text/css; charset=utf-8')

/** The stylesheet of the pages of the log, after those. */
export const logStyle = readAsset('log.css', 'text/css; charset=utf-8')

/** The stylesheet of the documentation, after those. */
export const docsStyle = readAsset('docs.css', 'text/css; charset=utf-8')

// What a module imports: one of ours by the folder and the name that it has here, one of a package
// by that of the package, or by where it lies beside it.
const ownName = /'#src\/((?:pages\/scripts|client\/verify)\/\w+\.js)'/
const nameOfPackage = /(['"])(@noble\/[\w/.-]+|\.\.?\/[\w/.-]+)\2/
const importedName = new RegExp(
  `(?<=from |import\\()(?:${ownName.source}|${nameOfPackage.source})`,
  'g',
)

const modules = new Map<string, Asset>()

/** Reads a module of ours that browsers run. */
function readModule(name: string): Asset {
  return readFile(fileOfModule(`pages/scripts/${name}.js`))
}

function fileOfModule(place: string): string {
  return fileURLToPath(new URL(`../../${place}`, import.meta.url))
}

/**
 * Reads a module. Its path names its content and, because the paths of what it imports stand in
 * there, the content of those, too.
 */
function readFile(file: string): Asset {
  const known = modules.get(file)
  if (known !== undefined) return known
  const { resolve } = createRequire(file)
  const content = readFileSync(file, 'utf8').replaceAll(
    importedName,
    (_all, own: string | undefined, _quote, ofPackage: string) => {
      const imported = own === undefined ? resolve(ofPackage) : fileOfModule(own)
      return `'.${nameOf(readFile(imported))}'`
    },
  )
  const digest = hash('sha256', content).slice(0, 16)
  const asset = {
    path: `/assets/${basename(file, '.js').replaceAll('-', '_')}.${digest}.js`,
    type: 'text/javascript; charset=utf-8',
    content: Buffer.from(content),
  }
  modules.set(file, asset)
  return asset
}

function nameOf({ path: served }: Asset): string {
  return served.slice('/assets'.length)
}

/** What the page of a work can do where scripts run: copy, and check its receipt. */
export const landingScript = readModule('landing')

/** What the pages of the log can do where scripts run: check what they show. */
export const logScript = readModule('log_explorer')

/** What a search box can do where scripts run: offer titles. */
export const searchScript = readModule('search_box')

/** What the documentation can do where scripts run: copy, and send requests. */
export const docsScript = readModule('docs')

/** What the page of verification can do where scripts run: all of it, in the browser. */
export const verifyScript = readModule('verify')

/** What pages with a secret or a command can do where scripts run: copy it. */
export const copyScript = readModule('copy')

/** What asks for passkeys, which only scripts can do. */
export const passkeyScript = readModule('passkey')

/** All modules, those that only others import too. */
export const scripts: readonly Asset[] = [...modules.values()]

/** Serves the files that pages load, `own` of this registry among them. */
export function registerAssets(server: FastifyInstance, own: readonly Asset[]): void {
  const styles = [stylesheet, publicStyle, landingStyle, logStyle, docsStyle]
  for (const { path, type, content } of [icon, ...styles, ...scripts, ...own]) {
    server.get(path, { schema: { hide: true } }, (_request, reply) => {
      reply.header('content-type', type)
      reply.header('cache-control', 'public, max-age=31536000, immutable')
      return reply.send(content)
    })
  }
}

/** Serves the icons that browsers ask for at the root, whatever pages say. */
export function registerIcons(server: FastifyInstance): void {
  for (const [path, name, type] of iconsByName) {
    const { content } = readAsset(name, type)
    server.get(path, { schema: { hide: true } }, (_request, reply) => {
      reply.header('content-type', type)
      // The address stays when the icon changes.
      reply.header('cache-control', 'public, max-age=86400')
      return reply.send(content)
    })
  }
}

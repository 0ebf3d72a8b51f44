// Bundles the program, unless that was done of these very sources: a file for each of its threads,
// with what they share in further ones. Without the bundler, which only developers need, the
// sources are what runs.

import { globSync } from 'node:fs'
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { runInNewContext } from 'node:vm'
import type * as Esbuild from 'esbuild'
import type { BuildOptions, Plugin } from 'esbuild'

import {
  bundledProgram,
  bundleFolder,
  entryName,
  programSource,
  stampFile,
  stampOf,
} from '#src/cli/bundle/bundle_stamp.ts'

type Bundler = Pick<typeof Esbuild, 'build'>

const root = path.join(import.meta.dirname, '../../..')

/** How a module names the file of a thread or a process that it starts. */
const startedFile = /new URL\('\.\/(\w+)\.ts', import\.meta\.url\)/g

/** A module of ours, by its path below the root. */
const ownFile = /^(?:src|actors|log|config)\//

/** The texts of a language other than English, in its file, and how they are named there. */
const languageTexts = /(translations: |Desk = )(\{\n[^]*\}) satisfies Catalogue<typeof english>/

/**
 * Writes the texts of a language as data, and has its module read them. V8 keeps the text of a
 * program, in which a foreign letter takes six characters, beside what it makes of it; of data it
 * keeps nothing else, and nothing at all of a language that nobody reads. Notes to translators are
 * no part of it.
 */
async function withTextsAsData(file: string, source: string, outdir: string): Promise<string> {
  const [, start, texts] = file.startsWith('src/words/') ? (languageTexts.exec(source) ?? []) : []
  if (texts === undefined) return source
  const name = `${entryName(file)}.json`
  await mkdir(outdir, { recursive: true })
  await writeFile(path.join(outdir, name), JSON.stringify(runInNewContext(`(${texts})`)))
  const read = `JSON.parse(readTextsOf(new URL('./${name}', import.meta.url), 'utf8'))`
  const lazy = start === 'Desk = ' ? start + read : `get translations() { return ${read} }`
  const module = source.replace(languageTexts, () => lazy).replaceAll(/^ *\/\/.*$/gm, '')
  return `import { readFileSync as readTextsOf } from 'node:fs'\n${module}`
}

/** All files of the program that run in a thread or a process of their own. */
async function entries(): Promise<readonly string[]> {
  const found = new Set([programSource])
  for (const file of globSync('{src,actors,log}/**/*.ts', { cwd: root })) {
    const source = await readFile(path.join(root, file), 'utf8')
    for (const [, name] of source.matchAll(startedFile)) {
      found.add(path.join(path.dirname(file), `${name}.ts`))
    }
  }
  return [...found]
}

/** Has modules find the files beside them, although what they are bundled into lies elsewhere. */
export const ownFiles: Plugin = {
  name: 'own files',
  setup(building) {
    const { outdir = '' } = building.initialOptions
    building.onLoad({ filter: /\.ts$/ }, async (args) => {
      const file = path.relative(root, args.path)
      if (!ownFile.test(file)) return undefined
      const source = await readFile(args.path, 'utf8')
      const contents = (await withTextsAsData(file, source, outdir))
        .replaceAll(startedFile, (_all, name: string) => {
          const started = path.join(path.dirname(file), `${name}.ts`)
          return `new URL('./${entryName(started)}.js', import.meta.url)`
        })
        .replaceAll(/(?<!js(?:on)?', )import\.meta\.url/g, `new URL('../${file}', import.meta.url)`)
        .replaceAll('import.meta.dirname', `(import.meta.dirname + '/../${path.dirname(file)}')`)
      return { contents, loader: 'ts' }
    })
  },
}

/** Packages whose classes go by their names, which a bundle may change where two are alike. */
const named: Plugin = {
  name: 'packages by name',
  setup(building) {
    building.onResolve({ filter: /^oidc-provider$/ }, ({ kind }) => {
      return kind === 'entry-point' ? undefined : { path: './oidc-provider.js', external: true }
    })
  },
}

/**
 * Has HTTP required. What Node imports it asks for all that it exports, and with that loads its
 * whole client of WebSockets, in each process and each thread.
 */
const required: Plugin = {
  name: 'required parts of Node',
  setup(building) {
    building.onResolve({ filter: /^node:http$/ }, ({ kind, path: name }) => {
      return kind === 'require-call' ? undefined : { path: name, namespace: 'required' }
    })
    building.onLoad({ filter: /^/, namespace: 'required' }, ({ path: name }) => {
      return { contents: `module.exports = require('${name}')`, loader: 'js' }
    })
  },
}

const shared: BuildOptions = {
  absWorkingDir: root,
  bundle: true,
  splitting: true,
  platform: 'node',
  target: 'node24',
  format: 'esm',
  sourcemap: 'linked',
  sourcesContent: false,
  legalComments: 'none',
  // It finds the binary of this machine by where it lies.
  external: ['classic-level'],
  // Packages from before ESM ask for parts of Node in the way of then.
  banner: {
    js: [
      "import { createRequire as requireOfBundle } from 'node:module'",
      'const require = requireOfBundle(import.meta.url)',
    ].join('\n'),
  },
  logLevel: 'warning',
}

async function writeBundle({ build }: Bundler): Promise<void> {
  const folder = path.join(root, bundleFolder)
  const outdir = `${folder}.${process.pid}`
  const stamp = stampOf(root)
  const files = await entries()
  await Promise.all([
    build({
      ...shared,
      outdir,
      entryPoints: Object.fromEntries(files.map((file) => [entryName(file), file])),
      plugins: [ownFiles, named, required],
    }),
    build({
      ...shared,
      outdir,
      entryPoints: { 'oidc-provider': 'oidc-provider' },
      keepNames: true,
      plugins: [required],
    }),
  ])
  await writeFile(path.join(outdir, stampFile), stamp)
  await rm(folder, { recursive: true, force: true })
  // Of two that are written at once one stays.
  await rename(outdir, folder).catch(() => rm(outdir, { recursive: true, force: true }))
}

if (bundledProgram(root) === undefined) {
  const bundler = await import('esbuild').catch(() => undefined)
  if (bundler !== undefined) {
    process.stderr.write('Arklog: making the bundle that it starts from, once for these sources\n')
    await writeBundle(bundler)
  }
}

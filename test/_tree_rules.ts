import { basename } from 'node:path'
import { formerNames } from '#test/_former_names.ts'
import type { SourceFile } from '#test/_source_file.ts'

/** A text file of the project; `path` is relative to it. */
export type TextFile = Pick<SourceFile, 'path' | 'lines'>

/**
 * A rule of the tree: what it finds wrong in a file, one line of text each, and files that break
 * it, to show that it finds anything at all.
 */
export type Rule<F> = {
  readonly name: string
  readonly check: (file: F) => readonly string[]
  readonly broken: readonly { readonly path: string; readonly text: string }[]
}

const functionLinesMax = 70
const lineCharactersMax = 100

/** Where a folder may import from. `config` is the edge's, and only tests import the edge. */
const directions: Readonly<Record<string, readonly string[]>> = {
  log: ['log'],
  actors: ['actors', 'log'],
  config: ['config', 'actors'],
  src: ['src', 'actors', 'log', 'config'],
  test: ['test', 'src', 'actors', 'log', 'config'],
}

/**
 * The rooms of a folder in their order: each imports itself and those of the steps before it, and
 * two on one step do not import each other. No module stands outside the rooms. A room may be a
 * folder within a folder, with an order of its own, or a single file.
 */
export const rooms: Readonly<Record<string, readonly (readonly string[])[]>> = {
  actors: [
    ['kernel'],
    ['values'],
    ['journal'],
    ['works/receipts'],
    ['works'],
    ['works/fixity', 'people/organizations'],
    ['people'],
    ['people/claims'],
    ['registry/catalogue'],
    ['registry'],
  ],
  log: [['tlog'], ['tlog/map'], ['store']],
  src: [
    ['client/verify'],
    ['client'],
    ['words'],
    ['keeping/data_dir'],
    ['keeping/snapshot'],
    ['keeping/backup'],
    ['cluster'],
    ['identity/store'],
    ['identity/keys'],
    ['identity/accounts'],
    ['identity/oauth'],
    ['delivery/fetch'],
    ['delivery/webhooks'],
    ['delivery/mail'],
    ['edge/limits'],
    ['edge'],
    ['discovery/csl'],
    ['discovery/formats'],
    ['discovery/citation_files', 'discovery/dump', 'discovery/feeds'],
    ['discovery/search'],
    ['discovery/oai'],
    ['tlog_tools/monitor'],
    ['tlog_tools/mirror'],
    ['tlog_tools/cosigning'],
    ['tlog_tools/witness'],
    ['operations/usage'],
    ['operations'],
    ['use_cases'],
    ['http/kit'],
    ['http/log'],
    ['http/receipts'],
    ['http/arks'],
    ['http/works'],
    ['http/people'],
    ['http/organizations'],
    ['http/discovery'],
    ['http/oauth'],
    ['http/admin'],
    ['pages/sessions'],
    ['pages/kit'],
    ['pages/public'],
    ['pages/docs'],
    ['pages/sign_in'],
    ['pages/account'],
    ['pages/organization'],
    ['pages/administration'],
    ['pages/scripts'],
    ['cli/oai_adapter'],
    ['cli/start/rendering'],
    ['cli/start'],
    ['cli/bundle'],
    ['cli'],
    ['main.ts'],
  ],
}

/** The rooms that take requests, and so know the framework. */
const serving = [
  'edge',
  'discovery/oai',
  'tlog_tools/witness',
  'http',
  'pages',
  'cli/oai_adapter',
  'cli/start',
]

/** Groups of rooms that never import each other, in whatever order they stand. */
const strangers = ['http', 'pages']

// `#log/tlog/hash.ts`, `node:fs/promises`, `@noble/hashes/sha2.js`: neither relative nor computed.
const moduleName = /^(?:#|node:|@?[a-z])[\w@./-]*$/
const fileName = /^_?[a-z0-9]+(?:_[a-z0-9]+)*(?:\.test|\.config)?\.[jt]s$/
const emptyNames = ['common', 'helper', 'helpers', 'index', 'misc', 'util', 'utils']
// In brackets, so that this file keeps its own rule.
const laterMark = /\b(?:TO[D]O|FIX[M]E)\b/

// Whether somebody is who a record names, or what they may do, as a comparison by hand.
const byHand = /\b(?:by|agent|source)\??\.(?:id|admin|limited|on_behalf_of|member) *[!=]==/
const authorities = ['actors/values/agent.ts', 'actors/values/authority.ts']

/** The rules of TypeScript and JavaScript modules. */
export const moduleRules: readonly Rule<SourceFile>[] = [
  {
    name: 'who may do what is asked of actors/values/authority.ts, and not compared elsewhere',
    check: (file) =>
      authorities.includes(file.path) || !/^(?:actors|src)\//.test(file.path)
        ? []
        : eachLine((line) => byHand.test(line), 'compares who somebody is')(file),
    broken: [
      { path: 'actors/a.ts', text: 'const a = by.admin === true' },
      { path: 'actors/a.ts', text: 'const a = by.id !== owner.id' },
      { path: 'src/http/a.ts', text: 'const a = agent.on_behalf_of === ppid' },
    ],
  },
  {
    name: 'imports go src → actors → log, config is for src, and only tests import src',
    check: (file) => file.imports.flatMap(({ name, line }) => judgeImport(file, name, line)),
    broken: [
      { path: 'log/a.ts', text: "import { b } from '#actors/b.ts'" },
      { path: 'log/a.ts', text: "import type { B } from '#test/b.ts'" },
      { path: 'actors/a.ts', text: "export { b } from '#src/b.ts'" },
      { path: 'actors/a.ts', text: "export * from '#config/b.ts'" },
      { path: 'config/a.ts', text: "type B = import('#log/b.ts').B" },
      { path: 'src/a.ts', text: "const b = await import('#test/b.ts')" },
      { path: 'src/a.ts', text: "import '../actors/b.ts'" },
      { path: 'src/a.ts', text: 'const b = await import(`#src/${name}.ts`)' },
    ],
  },
  {
    name: 'modules stand in rooms, and rooms import only those before them',
    check: judgeRooms,
    broken: [
      { path: 'actors/a.ts', text: '' },
      { path: 'actors/cellar/a.ts', text: '' },
      { path: 'actors/journal/a.ts', text: "import { b } from '#actors/works/b.ts'" },
      { path: 'actors/values/a.ts', text: "import type { B } from '#actors/works/b.ts'" },
      {
        path: 'actors/works/fixity/a.ts',
        text: "import { b } from '#actors/people/organizations/b.ts'",
      },
      { path: 'actors/works/a.ts', text: "export { b } from '#actors/people/claims/b.ts'" },
      { path: 'src/a.ts', text: '' },
      { path: 'src/http/a.ts', text: '' },
      { path: 'src/pages/a.ts', text: '' },
      { path: 'src/identity/a.ts', text: '' },
      { path: 'src/edge/a.ts', text: "import { b } from '#src/use_cases/b.ts'" },
      { path: 'src/use_cases/a.ts', text: "import type { B } from '#src/http/works/b.ts'" },
      { path: 'src/identity/store/a.ts', text: "import { b } from '#src/identity/keys/b.ts'" },
      { path: 'src/pages/kit/a.ts', text: "import { b } from '#src/pages/public/b.ts'" },
      { path: 'src/cli/start/a.ts', text: "const b = await import('#src/main.ts')" },
    ],
  },
  {
    name: 'routes and pages never import each other',
    check: ({ path, imports }) =>
      imports
        .filter(({ name }) => areStrangers(path, name))
        .map(({ name, line }) => `${path}:${line} imports ${name}, across http and pages`),
    broken: [
      { path: 'src/pages/public/a.ts', text: "import type { B } from '#src/http/arks/b.ts'" },
      { path: 'src/http/arks/a.ts', text: "export { b } from '#src/pages/kit/b.ts'" },
    ],
  },
  {
    name: 'the client is a package of its own, and imports nothing but itself',
    check: ({ path, imports }) =>
      imports
        .filter(({ name }) => isOfClient(path) && !name.startsWith('#src/client/'))
        .map(({ name, line }) => `${path}:${line} imports ${name}, which is not packed with it`),
    broken: [
      { path: 'src/client/a.ts', text: "import { b } from '#log/b.ts'" },
      { path: 'src/client/a.ts', text: "import type { B } from '#actors/values/b.ts'" },
      { path: 'src/client/a.ts', text: "import fs from 'node:fs'" },
      { path: 'src/client/a.ts', text: "import { b } from '@noble/hashes/sha2.js'" },
    ],
  },
  {
    name: 'what tries the interface shares no code with what it tries',
    check: ({ path, imports }) =>
      imports
        .filter(({ name }) => path.startsWith('test/interface/') && !/^(?:#test\/|[^#])/.test(name))
        .map(({ name, line }) => `${path}:${line} imports ${name}`),
    broken: [
      { path: 'test/interface/a.ts', text: "import { b } from '#src/b.ts'" },
      { path: 'test/interface/a.ts', text: "import type { B } from '#actors/b.ts'" },
    ],
  },
  {
    name: 'only the kernel imports nact',
    check: ({ path, imports }) =>
      imports
        .filter(
          ({ name }) => name === 'nact' && path !== 'actors/kernel/kernel.ts' && !isTest(path),
        )
        .map(({ line }) => `${path}:${line} imports nact`),
    broken: [{ path: 'actors/a.ts', text: "import * as nact from 'nact'" }],
  },
  {
    name: 'only servers, routes and pages know the framework: what they share are values',
    check: ({ path, imports }) =>
      imports
        .filter(({ name }) => isFramework(name) && path.startsWith('src/') && !serves(path))
        .map(({ name, line }) => `${path}:${line} imports ${name}`),
    broken: [
      { path: 'src/use_cases/a.ts', text: "import type { FastifyReply } from 'fastify'" },
      { path: 'src/discovery/formats/a.ts', text: "import { fastify } from 'fastify'" },
      { path: 'src/cluster/a.ts', text: "import a from '@fastify/cookie'" },
    ],
  },
  {
    name: `functions have ${functionLinesMax} lines at most`,
    check: ({ path, functions }) =>
      functions
        .filter(({ lineCount }) => lineCount > functionLinesMax)
        .map(({ line, lineCount }) => `${path}:${line} is a function of ${lineCount} lines`),
    broken: ['function a() {', 'const a = () => {', 'class A { async *b() {'].map((opening) => {
      const closing = opening.startsWith('class') ? '}}' : '}'
      return { path: 'log/a.ts', text: opening + '\n'.repeat(functionLinesMax) + closing }
    }),
  },
  {
    name: `lines have ${lineCharactersMax} characters at most`,
    check: (file) =>
      isWritten(file.path)
        ? []
        : eachLine((line) => line.length > lineCharactersMax, 'is too long')(file),
    broken: [{ path: 'log/a.ts', text: `// ${'x'.repeat(lineCharactersMax)}` }],
  },
  {
    name: 'nothing has a name that was given up',
    check: ({ path, identifiers }) =>
      Object.entries(formerNames)
        .filter(([former]) => identifiers.has(former) && path !== 'test/_former_names.ts')
        .map(([former, now]) => `${path} says ${former}, which is ${now}`),
    broken: [
      { path: 'log/a.ts', text: 'export type Spelled = string' },
      { path: 'src/a.ts', text: 'class A { #isSure = false }' },
      { path: 'test/a.ts', text: 'const waits = { restMs: 5 }' },
    ],
  },
  {
    name: 'only the configuration of a tool has a default export',
    check: ({ path, defaultExports }) =>
      defaultExports
        .filter(() => !path.endsWith('.config.js'))
        .map(({ line }) => `${path}:${line} is a default export`),
    broken: [
      { path: 'log/a.ts', text: 'export default 1' },
      { path: 'log/a.ts', text: 'const a = 1\nexport { a as default }' },
    ],
  },
  {
    name: 'files are named for one noun, in snake_case, and only test modules begin with _',
    check: ({ path }) => judgeFileName(path),
    broken: ['Tile', 'openLog', 'open-log', 'utils', 'index', '_tile', 'tile.spec'].map((name) => {
      return { path: `log/${name}.ts`, text: '' }
    }),
  },
  {
    name: 'every exported function and class has a doc comment',
    check: ({ path, undocumented }) =>
      undocumented
        .filter(({ name }) => !isTest(path) && !name.startsWith('TS'))
        .map(({ line }) => `${path}:${line} has no doc comment`),
    broken: [
      { path: 'log/a.ts', text: 'export function a() {}' },
      { path: 'log/a.ts', text: '// Not a doc comment.\nexport class A {}' },
    ],
  },
]

/** The rules of every text, code or not. */
export const textRules: readonly Rule<TextFile>[] = [
  {
    name: 'nothing is marked to be done later',
    check: eachLine((line) => laterMark.test(line), 'is marked to be done later'),
    broken: [
      ['TO', 'DO'],
      ['FIX', 'ME'],
    ].map((mark) => {
      return { path: 'log/a.ts', text: `// ${mark.join('')}: later` }
    }),
  },
  {
    name: 'lines end with a line feed, hold no other control character, and no space at the end',
    check: (file) => [
      ...eachLine((line) => /[\0-\x08\x0b-\x1f\x7f]/.test(line), 'has a control character')(file),
      ...eachLine((line) => line.endsWith(' '), 'ends with a space')(file),
      ...(file.lines.at(-1) === '' ? [] : [`${file.path} has no line feed at its end`]),
    ],
    broken: ['a\r\n', 'a \n', 'a', '\x1b[0m\n'].map((text) => ({ path: 'README.md', text })),
  },
]

/** The rules of documents. */
export const markdownRules: readonly Rule<TextFile>[] = [
  {
    name: 'a document has one title, in its first line',
    check: ({ path, lines }) => {
      const titles = titleLines(lines)
      return titles.join() === '1' ? [] : [`${path} has titles in lines ${titles.join(', ')}`]
    },
    broken: ['', '# A\n# B\n', '\n# A\n', '```\n# A\n```\n'].map((text) => {
      return { path: 'README.md', text }
    }),
  },
]

function judgeImport({ path }: SourceFile, name: string, line: number): readonly string[] {
  // What is made of the tree has no place in it.
  if (path === 'src/main.ts' && name === 'bundled') return []
  const where = `${path}:${line} imports ${name}`
  if (!moduleName.test(name)) return [`${where}, which names no module by folder or package`]
  const allowed = directions[path.split('/')[0] ?? ''] ?? []
  const folder = /^#([a-z]+)\//.exec(name)?.[1]
  return folder === undefined || allowed.includes(folder) ? [] : [`${where}, against the direction`]
}

function judgeRooms({ path, imports }: SourceFile): readonly string[] {
  const [folder = ''] = path.split('/')
  const steps = rooms[folder]
  if (steps === undefined) return []
  const own = placeOf(steps, path)
  if (own === undefined) return [`${path} stands in no room of ${folder}`]
  return imports.flatMap(({ name, line }) => {
    if (!name.startsWith(`#${folder}/`)) return []
    const other = placeOf(steps, name)
    const isAllowed = other === undefined || other.room === own.room || other.step < own.step
    return isAllowed ? [] : [`${path}:${line} imports ${name}, which is of a later room`]
  })
}

/** The innermost room that a path or the name of a module leads into, and on which step it is. */
function placeOf(steps: readonly (readonly string[])[], path: string) {
  const inside = path.slice(path.indexOf('/') + 1)
  return steps
    .flatMap((names, step) => names.map((room) => ({ room, step })))
    .filter(({ room }) => inside === room || inside.startsWith(`${room}/`))
    .toSorted((one, other) => other.room.length - one.room.length)[0]
}

/** What the package of the client has in it; its build is a program of the project. */
function isOfClient(path: string): boolean {
  return path.startsWith('src/client/') && path.endsWith('.ts')
}

/** Whether a file is written by a program, and is as long as what it is written from. */
// A message is one line, however long: so it is compared with its translations.
const isOfOneLanguage = /^src\/words\/(?!format|language|message|wording)\w+\.ts$/

function isWritten(path: string): boolean {
  return path === 'src/client/types.ts' || isOfOneLanguage.test(path)
}

function isFramework(name: string): boolean {
  return name === 'fastify' || name.startsWith('@fastify/')
}

function serves(path: string): boolean {
  return serving.some((room) => path.startsWith(`src/${room}/`))
}

function areStrangers(path: string, name: string): boolean {
  const [mine, theirs] = [`#${path}`, name].map((module) =>
    strangers.find((group) => module.startsWith(`#src/${group}/`)),
  )
  return mine !== undefined && theirs !== undefined && mine !== theirs
}

function judgeFileName(file: string): readonly string[] {
  const name = basename(file)
  const stem = name.split('.')[0] ?? ''
  if (!fileName.test(name)) return [`${file} is not in snake_case`]
  if (name.startsWith('_') && !isTest(file)) return [`${file} begins with _ and is no test module`]
  return emptyNames.includes(stem) ? [`${file} does not say what it holds`] : []
}

function isTest(file: string): boolean {
  return file.startsWith('test/')
}

function eachLine(isBroken: (line: string) => boolean, text: string) {
  return ({ path, lines }: TextFile): readonly string[] =>
    lines.flatMap((line, index) => (isBroken(line) ? [`${path}:${index + 1} ${text}`] : []))
}

/** The numbers of a document's title lines; a `#` inside a code block is none. */
function titleLines(lines: readonly string[]): readonly number[] {
  let isCode = false
  return lines.flatMap((line, index) => {
    if (line.startsWith('```')) isCode = !isCode
    return !isCode && line.startsWith('# ') ? [index + 1] : []
  })
}

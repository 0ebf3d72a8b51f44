import { readFileSync } from 'node:fs'
import path from 'node:path'

import { parseSync } from 'oxc-parser'

import { type CalledFunction, root } from '#test/walks/_call_counter.ts'

/** What a work is in the end: every other shape of it holds one of these, or what holds one. */
const workTypes = ['actors/works/metadata.ts:Metadata', 'actors/works/metadata.ts:MetadataPatch']

/** A node of the syntax tree, with the members that are read here. */
type Node = {
  readonly type: string
  readonly start: number
  readonly end: number
  readonly [member: string]: unknown
}

type ParsedFile = {
  /** What each type is declared as, by its name in the file. */
  readonly declarations: ReadonlyMap<string, Node>
  /** Where an imported name is declared: `file:name`. */
  readonly imported: ReadonlyMap<string, string>
  readonly functions: readonly Node[]
}

/**
 * The shapes of a work in a walk: the named types among the parameters and results of the
 * functions that ran, of which a member of their own is the metadata of a work or something that
 * holds it. Given as `file:name`, in order. A union of such types, an alias of one, a class and a
 * port (whose members are functions) are no shapes of their own.
 */
export function shapesOf(called: Iterable<CalledFunction>): string[] {
  const types = new WorkTypes()
  const found = new Set<string>()
  for (const { file, start, end } of called) {
    const node = types.functionAt(file, start, end)
    if (node === undefined) continue
    for (const name of signatureNames(node)) {
      const declared = types.declaredAt(file, name)
      if (declared !== undefined && types.isShape(declared)) found.add(declared)
    }
  }
  return [...found].toSorted()
}

class WorkTypes {
  readonly #files = new Map<string, ParsedFile>()
  readonly #holds = new Map<string, boolean>(workTypes.map((name) => [name, true]))

  /** The innermost function that V8 counted: its end is exact, its start may be that of a name. */
  functionAt(file: string, start: number, end: number): Node | undefined {
    return this.#file(file)
      .functions.filter((node) => node.end === end)
      .toSorted((a, b) => Math.abs(a.start - start) - Math.abs(b.start - start))[0]
  }

  declaredAt(file: string, name: string): string | undefined {
    const { declarations, imported } = this.#file(file)
    return declarations.has(name) ? `${file}:${name}` : imported.get(name)
  }

  isShape(declared: string): boolean {
    const node = this.#declaration(declared)
    return node !== undefined && hasMembers(node) && this.#holdsWork(declared)
  }

  #holdsWork(declared: string): boolean {
    const known = this.#holds.get(declared)
    if (known !== undefined) return known
    // A type within itself adds nothing.
    this.#holds.set(declared, false)
    const node = this.#declaration(declared)
    const [file = ''] = declared.split(':')
    const names = node === undefined ? [] : [...dataNames(node)]
    const holds = names.some((name) => {
      const inner = this.declaredAt(file, name)
      return inner !== undefined && this.#holdsWork(inner)
    })
    this.#holds.set(declared, holds)
    return holds
  }

  #declaration(declared: string): Node | undefined {
    const [file = '', name = ''] = declared.split(':')
    return this.#file(file).declarations.get(name)
  }

  #file(file: string): ParsedFile {
    const known = this.#files.get(file)
    if (known !== undefined) return known
    const parsed = parseFile(file)
    this.#files.set(file, parsed)
    return parsed
  }
}

function parseFile(file: string): ParsedFile {
  const { program } = parseSync(file, readFileSync(path.join(root, file), 'utf8'))
  const declarations = new Map<string, Node>()
  const imported = new Map<string, string>()
  const functions: Node[] = []
  for (const node of nodesOf(program as unknown as Node)) {
    if (/Function/.test(node.type) && 'body' in node) functions.push(node)
    if (node.type === 'TSTypeAliasDeclaration' || node.type === 'TSInterfaceDeclaration') {
      declarations.set(nameOf(node['id'] as Node), node)
    }
    if (node.type !== 'ImportDeclaration') continue
    const source = String((node['source'] as Node)['value'])
    if (!source.startsWith('#')) continue
    for (const specifier of node['specifiers'] as Node[]) {
      if (specifier.type !== 'ImportSpecifier') continue
      const local = nameOf(specifier['local'] as Node)
      imported.set(local, `${source.slice(1)}:${nameOf(specifier['imported'] as Node)}`)
    }
  }
  return { declarations, imported, functions }
}

/** The names of types in the parameters and the result of a function, without its body. */
function* signatureNames(node: Node): Iterable<string> {
  for (const part of [...(node['params'] as Node[]), node['returnType'] as Node | null]) {
    if (part !== null) yield* dataNames(part)
  }
}

/** The names of types that something holds as data: what a function in it takes is left out. */
function* dataNames(node: Node): Iterable<string> {
  for (const inner of nodesOf(node, ['TSFunctionType', 'TSMethodSignature'])) {
    if (inner.type === 'TSTypeReference') yield nameOf(inner['typeName'] as Node)
  }
}

function hasMembers(declaration: Node): boolean {
  const skipped = ['TSFunctionType', 'TSMethodSignature', 'TSTypeParameterInstantiation']
  return [...nodesOf(declaration, skipped)].some(({ type }) => type === 'TSPropertySignature')
}

function nameOf(node: Node): string {
  return String(node['name'])
}

function* nodesOf(node: Node, skipped: readonly string[] = []): Iterable<Node> {
  if (skipped.includes(node.type)) return
  yield node
  for (const member of Object.values(node)) {
    for (const inner of Array.isArray(member) ? (member as unknown[]) : [member]) {
      if (isNode(inner)) yield* nodesOf(inner, skipped)
    }
  }
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && 'start' in value
}

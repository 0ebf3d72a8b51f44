import { type Comment, parseSync, type Span, Visitor, type VisitorObject } from 'oxc-parser'

/** A piece of a source file: where it begins and how many lines it has; lines count from 1. */
type Part = { readonly name: string; readonly line: number; readonly lineCount: number }

/** What the rules of the tree ask about one source file. `path` is relative to the project. */
export type SourceFile = {
  readonly path: string
  readonly lines: readonly string[]
  /** Every module named by an import, a type import or an export from, static or dynamic. */
  readonly imports: readonly Part[]
  readonly functions: readonly Part[]
  readonly defaultExports: readonly Part[]
  /** Exported functions, classes and types that no doc comment stands before. */
  readonly undocumented: readonly Part[]
  /** Every identifier, also of members, private ones without their `#`. */
  readonly identifiers: ReadonlySet<string>
}

/** Parses a TypeScript or JavaScript module; throws when it is not one. */
export function parseSourceFile(path: string, text: string): SourceFile {
  const { program, comments, errors } = parseSync(path, text)
  const [error] = errors
  if (error !== undefined) throw new Error(`${path}: ${error.message}`)
  const facts = new Facts(text, comments)
  new Visitor(facts.visitor()).visit(program)
  return {
    path,
    lines: text.split('\n'),
    imports: facts.imports,
    functions: facts.functions,
    defaultExports: facts.defaultExports,
    undocumented: facts.undocumented,
    identifiers: facts.identifiers,
  }
}

class Facts {
  readonly imports: Part[] = []
  readonly functions: Part[] = []
  readonly defaultExports: Part[] = []
  readonly undocumented: Part[] = []
  readonly identifiers = new Set<string>()
  readonly #text: string
  readonly #docEnds: ReadonlySet<number>

  constructor(text: string, comments: readonly Comment[]) {
    this.#text = text
    const docs = comments.filter(({ type, value }) => type === 'Block' && value.startsWith('*'))
    this.#docEnds = new Set(docs.map(({ end }) => end))
  }

  visitor(): VisitorObject {
    const module = (source: Span) => this.imports.push(this.#part(source, this.#moduleName(source)))
    const identifier = ({ name }: { readonly name: string }) => void this.identifiers.add(name)
    const body = (node: Span) => this.functions.push(this.#part(node, 'function'))
    return {
      ImportDeclaration: (node) => module(node.source),
      ImportExpression: (node) => module(node.source),
      ExportAllDeclaration: (node) => module(node.source),
      TSImportType: (node) => module(node.source),
      Identifier: identifier,
      PrivateIdentifier: identifier,
      FunctionDeclaration: body,
      FunctionExpression: body,
      ArrowFunctionExpression: body,
      ExportDefaultDeclaration: (node) => this.defaultExports.push(this.#part(node, 'default')),
      ExportNamedDeclaration: (node) => {
        if (node.source !== null) module(node.source)
        for (const { exported } of node.specifiers) {
          const name = this.#text.slice(exported.start, exported.end)
          if (name === 'default') this.defaultExports.push(this.#part(exported, name))
        }
        const { declaration } = node
        if (declaration === null || declaration.type === 'VariableDeclaration') return
        if (!this.#isDocumented(node)) this.undocumented.push(this.#part(node, declaration.type))
      },
    }
  }

  #part({ start, end }: Span, name: string): Part {
    const line = this.#text.slice(0, start).split('\n').length
    return { name, line, lineCount: this.#text.slice(start, end).split('\n').length }
  }

  // A specifier that is computed keeps its source text, which no rule takes for a module's name.
  #moduleName({ start, end }: Span): string {
    return this.#text.slice(start, end).replace(/^(['"`])(.*)\1$/, '$2')
  }

  #isDocumented({ start }: Span): boolean {
    return this.#docEnds.has(this.#text.slice(0, start).trimEnd().length)
  }
}

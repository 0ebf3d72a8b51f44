import type { SourceFile } from '#test/_source_file.ts'

/** How much there is to know of the tree of the product. */
export type TreeFigures = {
  /** Folders of `log`, `actors` and `src`, each with what is below it; `config` is one. */
  readonly rooms: number
  /** Pairs of them of which the first imports the second. */
  readonly arrows: number
  /** Files of less than 40 lines that one other file imports, but for the words of a language. */
  readonly smallFilesForOneImporter: number
}

const smallLinesMax = 39
const languageWords = /^src\/words\/\w+\//

/** Counts the figures of the modules of the product. */
export function treeFigures(modules: readonly SourceFile[]): TreeFigures {
  const importers = new Map<string, Set<string>>()
  const arrows = new Set<string>()
  for (const { path, imports } of modules) {
    for (const { name } of imports.filter((each) => each.name.startsWith('#'))) {
      const imported = name.slice(1)
      importers.set(imported, (importers.get(imported) ?? new Set()).add(path))
      const [from, to] = [roomOf(path), roomOf(imported)]
      if (from !== to) arrows.add(`${from} → ${to}`)
    }
  }
  const small = modules.filter(({ path, lines }) => {
    if (languageWords.test(path)) return false
    // The last of them is what follows the last line feed.
    return lines.length - 1 <= smallLinesMax && importers.get(path)?.size === 1
  })
  return {
    rooms: new Set(modules.map(({ path }) => roomOf(path))).size,
    arrows: arrows.size,
    smallFilesForOneImporter: small.length,
  }
}

function roomOf(path: string): string {
  const [top = '', room = ''] = path.split('/')
  return top === 'config' ? top : `${top}/${room}`
}

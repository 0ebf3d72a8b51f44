import { readdirSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'

/** The folders whose files the bundle is made of. */
const sourceFolders = ['src', 'actors', 'log', 'config'] as const

/** The folder of the bundle, below that of the package. */
export const bundleFolder = 'dist'

/** The file of the bundle that says what it was made of. */
export const stampFile = 'stamp'

/** What a command begins with. */
export const programSource = 'src/cli/run.ts'

/** The name of a file that the bundle begins with, by its path below the root. */
export function entryName(file: string): string {
  return file.replace(/\.ts$/, '').replaceAll('/', '_')
}

/** The file of the bundle for one that a thread or process begins with, if it is such a one. */
export function bundledFile(root: string, file: string): string {
  return path.join(root, bundleFolder, `${entryName(path.relative(root, file))}.js`)
}

/**
 * Which sources these are: the path, size and time of each file that a bundle is made of. `root` is
 * the folder of the package. Throws if it cannot be read.
 */
export function stampOf(root: string): string {
  const parts: string[] = []
  for (const folder of sourceFolders) addFolder(parts, root, folder)
  addFile(parts, root, 'package-lock.json')
  return parts.join('\n')
}

function addFolder(parts: string[], root: string, folder: string): void {
  for (const entry of readdirSync(path.join(root, folder), { withFileTypes: true })) {
    const file = `${folder}/${entry.name}`
    // What the client's package is made into is no source, and comes and goes with `npm pack`.
    if (entry.isDirectory()) {
      if (entry.name !== bundleFolder) addFolder(parts, root, file)
    } else if (/\.[jt]s$/.test(entry.name)) addFile(parts, root, file)
  }
}

// In whole seconds: that is what archives and layers of images keep.
function addFile(parts: string[], root: string, file: string): void {
  const { size, mtimeMs } = statSync(path.join(root, file))
  parts.push(`${size} ${Math.floor(mtimeMs / 1_000)} ${file}`)
}

/** The program in the bundle; undefined where there is none, or the sources have changed since. */
export function bundledProgram(root: string): string | undefined {
  try {
    const stamp = readFileSync(path.join(root, bundleFolder, stampFile), 'utf8')
    if (stamp !== stampOf(root)) return undefined
  } catch {
    return undefined
  }
  return bundledFile(root, path.join(root, programSource))
}

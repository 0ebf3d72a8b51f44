import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'

const source = await readFile(new URL(import.meta.resolve('axe-core/axe.min.js')), 'utf8')

// WCAG 2.2 at level AA holds all that the versions and levels before it do.
const rules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']

type Violation = {
  readonly id: string
  readonly help: string
  readonly nodes: readonly { readonly target: readonly string[]; readonly html: string }[]
}

/** What a dark page is judged by that was judged in light before: its colours. */
const ofColours = 'cat.color'

/** What of a page breaks WCAG 2.2 AA, a line each: the rule, what it asks for, and where. */
export async function findBarriers(
  page: Page,
  { onlyColours = false }: { readonly onlyColours?: boolean } = {},
): Promise<string[]> {
  // The page's own policy keeps foreign scripts out; what is evaluated from outside is not its own.
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(source)
  const violations: readonly Violation[] = await page.evaluate(
    async ({ tags, judged, colours }) => {
      const others = globalThis.axe
        .getRules(tags)
        .filter(({ tags: all }) => colours !== null && !all.includes(colours))
      const options = {
        runOnly: { type: 'tag', values: tags },
        rules: Object.fromEntries(others.map(({ ruleId }) => [ruleId, { enabled: false }])),
        // Of what breaks no rule only its number is told: to list it takes most of the time.
        resultTypes: ['violations'],
      }
      return (await globalThis.axe.run({ exclude: [[`[${judged}]`]] }, options)).violations
    },
    { tags: rules, judged: judgedMark, colours: onlyColours ? ofColours : null },
  )
  return violations.flatMap(({ id, help, nodes }) =>
    nodes.map(({ target, html }) => `${id}: ${help}: ${target.join(' ')}: ${html}`),
  )
}

/** The attribute of what was judged on another page. */
const judgedMark = 'data-judged'

/**
 * The parts of pages that were judged. Pages repeat each other: what has the same HTML, within
 * elements of the same tags and attributes, is judged once, on the first page that has it; a table
 * only as a whole, for its cells are judged by its headers. Forms, whose state is not in their
 * HTML, are always judged.
 */
export class JudgedParts {
  /** Parts by a hash of 53 bits. */
  readonly #known = new Set<number>()

  /**
   * Marks what a page repeats, empties the long parts of it, and remembers the rest as judged: what
   * is only marked costs axe nearly as much as what it judges. Nothing is emptied that could name
   * or explain something else. Whoever needs the whole page looks before.
   */
  async markIn(page: Page): Promise<void> {
    const input = { known: [...this.#known], mark: judgedMark }
    for (const part of await page.evaluate(markRepeated, input)) this.#known.add(part)
  }
}

/** Evaluated in a page: marks or empties what is known, and gives the parts that are not. */
function markRepeated({ known, mark }: { readonly known: number[]; readonly mark: string }) {
  const parts = new Set(known)
  const added: number[] = []
  const hashOf = (text: string): number => {
    let high = 0xdeadbeef
    let low = 0x41c6ce57
    for (let index = 0; index < text.length; index += 1) {
      high = Math.imul(high ^ text.charCodeAt(index), 2654435761)
      low = Math.imul(low ^ text.charCodeAt(index), 1597334677)
    }
    return (low >>> 0) * 2 ** 21 + (high >>> 11)
  }
  const controls = 'input, select, textarea, dialog, :focus'
  const naming = ['aria-labelledby', 'aria-describedby', 'aria-controls', 'for']
  const namers = [...document.querySelectorAll(naming.map((each) => `[${each}]`).join())]
  const namedBy = namers.map((namer) => ({
    namer,
    ids: naming.flatMap((each) => namer.getAttribute(each)?.split(/\s+/) ?? []),
  }))
  // What a part names within itself, as a section its heading, goes with it.
  const canBeEmptied = (part: Element): boolean => {
    if (part.querySelectorAll('*').length <= 8) return false
    const ids = new Set([part, ...part.querySelectorAll('[id]')].map(({ id }) => id))
    return !namedBy.some((by) => !part.contains(by.namer) && by.ids.some((id) => ids.has(id)))
  }
  const walk = (element: Element, within: string): void => {
    for (const child of element.children) {
      if (!child.matches(controls) && child.querySelector(controls) === null) {
        const part = hashOf(`${within} ${child.outerHTML}`)
        if (parts.has(part)) {
          child.setAttribute(mark, '')
          if (canBeEmptied(child)) child.replaceChildren()
          continue
        }
        parts.add(part)
        added.push(part)
      }
      if (!child.matches('table')) walk(child, within + (child.cloneNode() as Element).outerHTML)
    }
  }
  walk(document.body, '')
  return added
}

declare global {
  // What the evaluated script leaves in the page.
  var axe: {
    getRules(
      tags: readonly string[],
    ): readonly { readonly ruleId: string; readonly tags: readonly string[] }[]
    run(context: unknown, options: unknown): Promise<{ violations: readonly Violation[] }>
  }
}

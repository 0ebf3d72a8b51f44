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

/** What of a page breaks WCAG 2.2 AA, a line each: the rule, what it asks for, and where. */
export async function findBarriers(page: Page): Promise<string[]> {
  // The page's own policy keeps foreign scripts out; what is evaluated from outside is not its own.
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(source)
  const violations: readonly Violation[] = await page.evaluate(
    async (tags) =>
      (
        await globalThis.axe.run({
          runOnly: { type: 'tag', values: tags },
          // Of what breaks no rule only its number is told: to list it takes most of the time.
          resultTypes: ['violations'],
        })
      ).violations,
    rules,
  )
  return violations.flatMap(({ id, help, nodes }) =>
    nodes.map(({ target, html }) => `${id}: ${help}: ${target.join(' ')}: ${html}`),
  )
}

declare global {
  // What the evaluated script leaves in the page.
  var axe: { run(options: unknown): Promise<{ violations: readonly Violation[] }> }
}

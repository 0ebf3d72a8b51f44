// The recipes of the client's README, as programs.

import { readFileSync } from 'node:fs'

const readme = new URL('../../../src/client/README.md', import.meta.url)

/** A recipe: its number and title, and the program. */
export type Recipe = { readonly number: number; readonly title: string; readonly program: string }

/** The module that recipes begin with, and the recipes. */
export function readRecipes(): { readonly setup: string; readonly recipes: readonly Recipe[] } {
  const text = readFileSync(readme, 'utf8')
  const [, setup = ''] = /```ts\n(\/\/ arklog\.ts\n[^]*?)```/.exec(text) ?? []
  const found = text.matchAll(/^### (\d+)\. (.+)\n[^]*?```ts\n([^]*?)```/gm)
  const recipes = [...found].map(([, number = '', title = '', program = '']) => {
    return { number: Number(number), title, program }
  })
  return { setup, recipes }
}

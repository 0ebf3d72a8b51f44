import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'

import type { WalkCount } from '#test/walks/_figures.ts'

/** How much a walk passes, in numbers. */
export type WalkFigures = {
  readonly files: number
  readonly functions: number
  readonly shapes: number
}

export type KeptFigures = Readonly<Record<string, WalkFigures>>

const file = path.join(import.meta.dirname, 'figures.json')

const kinds = ['files', 'functions', 'shapes'] as const

/** The lowest figures so far, by the name of the walk. */
export function readKeptFigures(): KeptFigures {
  return JSON.parse(readFileSync(file, 'utf8')) as KeptFigures
}

/** The figures of walks that were counted. */
export function figuresOf(counts: ReadonlyMap<string, WalkCount>): KeptFigures {
  const entries = [...counts].map(([name, { files, functions, shapes }]) => {
    return [name, { files: files.length, functions, shapes: shapes.length }] as const
  })
  return Object.fromEntries(entries)
}

/**
 * What has risen above the kept figures, a line each. A walk that is kept and was not counted is
 * named too, so that none is lost.
 */
export function risenFigures(kept: KeptFigures, now: KeptFigures): string[] {
  return Object.entries(kept).flatMap(([name, before]) => {
    const found = now[name]
    if (found === undefined) return [`${name}: was not counted`]
    const risen = kinds.filter((kind) => found[kind] > before[kind])
    return risen.map((kind) => `${name}: ${found[kind]} ${kind}, not ${before[kind]} at most`)
  })
}

/** Keeps figures that have fallen, and those of new walks; one that has risen stays as it was. */
export function writeLowerFigures(kept: KeptFigures, now: KeptFigures): void {
  const entries = Object.entries(now).map(([name, found]) => {
    const before = kept[name] ?? found
    return [
      name,
      {
        files: Math.min(found.files, before.files),
        functions: Math.min(found.functions, before.functions),
        shapes: Math.min(found.shapes, before.shapes),
      },
    ] as const
  })
  writeFileSync(file, `${JSON.stringify(Object.fromEntries(entries), undefined, 2)}\n`)
}

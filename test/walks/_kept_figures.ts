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

/** The lower of each figure. A walk that only one of them has is taken from there. */
export function lowerFigures(first: KeptFigures, second: KeptFigures): KeptFigures {
  const names = Object.keys({ ...first, ...second })
  const entries = names.map((name) => {
    const one = first[name] ?? second[name]
    const other = second[name] ?? one
    if (one === undefined || other === undefined) throw new Error(`nothing is known of ${name}`)
    return [
      name,
      {
        files: Math.min(one.files, other.files),
        functions: Math.min(one.functions, other.functions),
        shapes: Math.min(one.shapes, other.shapes),
      },
    ] as const
  })
  return Object.fromEntries(entries)
}

/** Keeps figures that have fallen, and those of new walks; one that has risen stays as it was. */
export function writeLowerFigures(kept: KeptFigures, now: KeptFigures): void {
  const counted = Object.fromEntries(Object.entries(kept).filter(([name]) => name in now))
  writeFileSync(file, `${JSON.stringify(lowerFigures(counted, now), undefined, 2)}\n`)
}

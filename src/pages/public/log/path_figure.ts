import { html, type Html } from '#src/pages/kit/html.ts'
import type { PathStep, ProvenEntry } from '#src/use_cases/public_log.ts'
import { hashCode, shortHash } from '#src/pages/public/log/log_site.ts'
import { formatNumber } from '#src/pages/kit/words.ts'
import { encodeHex } from '#log/tlog/encoding.ts'

/** Distances in units of the drawing. */
const width = 460
const centre = width / 2
const reach = 88
const levelStep = 56
const margin = { top: 54, bottom: 58 }
const radius = 9

/** A step with the height at which it is drawn: the node below, and its parent. */
type Drawn = { readonly step: PathStep; readonly index: number; readonly at: number }

/**
 * A drawing of how an entry leads to the root: the hashes that are computed, one above the other,
 * and beside each the sibling that the proof brings. A browser marks what it has computed.
 */
export function pathFigure({ leafIndex, leafHash, steps, treeSize }: ProvenEntry): Html {
  const height = margin.top + margin.bottom + steps.length * levelStep
  const bottom = height - margin.bottom
  const drawn = steps.map((step, index) => ({ step, index, at: bottom - index * levelStep }))
  const name = `entry ${formatNumber(leafIndex)}`
  const root = `root of ${formatNumber(treeSize)} entries`
  return html`<figure class="path">
<svg viewBox="0 0 ${width} ${height}" role="img" aria-labelledby="path-title path-desc">
<title id="path-title">The path of ${name} to the ${root}</title>
<desc id="path-desc">From the hash of the entry at the bottom, ${steps.length} steps lead to the
root at the top; each joins a hash of the proof, on the left or on the right. The same in words is
below.</desc>
${drawn.map(lines)}
${drawn.map(siblingNode)}
<circle class="path-leaf" cx="${centre}" cy="${bottom}" r="${radius}"/>
<text x="${centre}" y="${bottom + 30}" text-anchor="middle">${name}</text>
<text class="path-hash" x="${centre}" y="${bottom + 50}"
text-anchor="middle">${shortHash(leafHash)}</text>
${drawn.map(parentNode)}
<text class="path-root" x="${centre}" y="22" text-anchor="middle">${root}</text>
</svg>
<figcaption><span class="key key-path">computed from the entry</span>
<span class="key key-proof">the proof</span></figcaption>
</figure>`
}

/** Where a sibling is drawn, and which way from there its words go. */
function placeOf({ side }: PathStep) {
  return side === 'left'
    ? { x: centre - reach, textX: centre - reach - 15, anchor: 'end' }
    : { x: centre + reach, textX: centre + reach + 15, anchor: 'start' }
}

function lines({ step, index, at }: Drawn): Html {
  const to = at - levelStep
  const { x } = placeOf(step)
  return html`<line class="path-proof" x1="${x}" y1="${at}" x2="${centre}" y2="${to}"/>
<line class="path-line" data-step="${index}" data-parent="${encodeHex(step.parent)}"
x1="${centre}" y1="${at}" x2="${centre}" y2="${to}"/>`
}

function siblingNode({ step, at }: Drawn): Html {
  const { x, textX, anchor } = placeOf(step)
  const hash = shortHash(step.sibling)
  return html`<circle class="path-sibling" cx="${x}" cy="${at}" r="${radius - 2}"/>
<text class="path-hash" x="${textX}" y="${at - 1}" text-anchor="${anchor}">${hash}</text>
<text class="path-range" x="${textX}" y="${at + 17}"
text-anchor="${anchor}">${sizeText(step)}</text>`
}

function parentNode({ step, index, at }: Drawn): Html {
  const y = at - levelStep
  return html`<g class="path-node" data-step="${index}" data-parent="${encodeHex(step.parent)}">
<circle cx="${centre}" cy="${y}" r="${radius}"/>
<path d="M${centre - 4.5} ${y} l3.2 3.6 l6 -7"/></g>`
}

function sizeText({ from, to }: PathStep): string {
  return to - from === 1 ? `entry ${formatNumber(from)}` : `${formatNumber(to - from)} entries`
}

function rangeText({ from, to }: PathStep): string {
  const first = formatNumber(from)
  return to - from === 1 ? first : `${first}–${formatNumber(to - 1)}`
}

/** The same path in words, with whole hashes: what a browser checks. */
export function pathSteps({ leafIndex, leafHash, steps, treeSize, rootHash }: ProvenEntry): Html {
  const items = steps.map(
    (step, index) => html`<li data-step="${index}" data-parent="${encodeHex(step.parent)}">
<p>With the hash of ${step.to - step.from === 1 ? 'entry' : 'entries'} ${rangeText(step)} on its
${step.side},</p>
<p><code class="hash" data-hash>${encodeHex(step.sibling)}</code></p>
<p>it makes ${hashCode(step.parent)}</p></li>`,
  )
  return html`<details class="fold"><summary>The path in words, with whole hashes</summary>
<p>The hash of entry ${formatNumber(leafIndex)} is ${hashCode(leafHash)}</p>
<ol class="path-steps">${items}</ol>
<p>which is the root of the ${formatNumber(treeSize)} entries in the checkpoint:
${hashCode(rootHash)}</p></details>`
}

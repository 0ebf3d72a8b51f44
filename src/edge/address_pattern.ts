/** What a segment of a path is held to: a word, a form, or nothing. The rest takes all segments. */
type Segment = { readonly word?: string; readonly form?: RegExp; readonly isRest: boolean }

const parameter = /^:\w+\((?<form>.*)\)$/

/** The segments of a route's address, such as `/works/:ark` or `/tile/*`. */
export function segmentsOf(url: string): readonly Segment[] {
  return url.split('/').map((text) => {
    if (text.endsWith('*')) return { isRest: true }
    if (!text.includes(':')) return { word: text, isRest: false }
    const form = parameter.exec(text)?.groups?.['form']
    return { isRest: false, ...(form !== undefined && { form: new RegExp(form) }) }
  })
}

/** Whether a path may be of both addresses. */
export function segmentsMeet(some: readonly Segment[], others: readonly Segment[]): boolean {
  for (let index = 0; ; index += 1) {
    const [one, other] = [some[index], others[index]]
    if (one === undefined || other === undefined) return one === other
    if (!mayTake(one, other) || !mayTake(other, one)) return false
    if (one.isRest || other.isRest) return true
  }
}

/** Whether what a segment stands for may be what another one says; forms are not compared. */
function mayTake({ word, form }: Segment, { word: said }: Segment): boolean {
  if (said === undefined) return true
  return word === undefined ? form?.test(said) !== false : word === said
}

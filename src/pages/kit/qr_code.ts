import { encode } from 'uqr'

import { html, type Html } from '#src/pages/kit/html.ts'

/** Modules around a code that stay light (ISO/IEC 18004 asks for four). */
const quietModules = 4

/** A text as a QR code, dark on light whatever the colours of the page; `label` says what it is. */
export function qrCode(text: string, label: string): Html {
  const { data, size } = encode(text, { ecc: 'M', border: quietModules })
  const path = data
    .flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])))
    .join('')
  return html`<svg class="qr" viewBox="0 0 ${size} ${size}" role="img" aria-label="${label}">
<path fill="#fff" d="M0 0h${size}v${size}H0z"/><path fill="#000" d="${path}"/></svg>`
}

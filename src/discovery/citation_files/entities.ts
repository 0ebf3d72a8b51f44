const latin =
  'nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg ' +
  'plusmn sup2 sup3 acute micro para middot cedil sup1 ordm raquo frac14 frac12 frac34 ' +
  'iquest Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil Egrave Eacute Ecirc Euml ' +
  'Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave ' +
  'Uacute Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil ' +
  'egrave eacute ecirc euml igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ' +
  'ouml divide oslash ugrave uacute ucirc uuml yacute thorn yuml'
const greek =
  'Alpha Beta Gamma Delta Epsilon Zeta Eta Theta Iota Kappa Lambda Mu Nu Xi Omicron Pi Rho ' +
  '- Sigma Tau Upsilon Phi Chi Psi Omega - - - - - - - alpha beta gamma delta epsilon zeta ' +
  'eta theta iota kappa lambda mu nu xi omicron pi rho sigmaf sigma tau upsilon phi chi psi ' +
  'omega'
const others =
  'amp:& lt:< gt:> quot:" apos:\' ndash:– mdash:— lsquo:‘ rsquo:’ sbquo:‚ ldquo:“ rdquo:” ' +
  'bdquo:„ lsaquo:‹ rsaquo:› hellip:… bull:• dagger:† Dagger:‡ permil:‰ prime:′ Prime:″ ' +
  'euro:€ trade:™ larr:← uarr:↑ rarr:→ darr:↓ harr:↔ rArr:⇒ hArr:⇔ forall:∀ part:∂ exist:∃ ' +
  'empty:∅ nabla:∇ isin:∈ notin:∉ prod:∏ sum:∑ minus:− lowast:∗ radic:√ prop:∝ infin:∞ ' +
  'ang:∠ and:∧ or:∨ cap:∩ cup:∪ int:∫ sim:∼ cong:≅ asymp:≈ ne:≠ equiv:≡ le:≤ ge:≥ sub:⊂ ' +
  'sup:⊃ sube:⊆ supe:⊇ oplus:⊕ otimes:⊗ perp:⊥ sdot:⋅ OElig:Œ oelig:œ Scaron:Š scaron:š ' +
  'Yuml:Ÿ fnof:ƒ circ:ˆ tilde:˜ thetasym:ϑ upsih:ϒ piv:ϖ Zcaron:Ž zcaron:ž Ccaron:Č ' +
  'ccaron:č Cacute:Ć cacute:ć Nacute:Ń nacute:ń Sacute:Ś sacute:ś Lstrok:Ł lstrok:ł Eogon:Ę ' +
  'eogon:ę Aogon:Ą aogon:ą Zdot:Ż zdot:ż Scedil:Ş scedil:ş Gbreve:Ğ gbreve:ğ Rcaron:Ř ' +
  'rcaron:ř Ecaron:Ě ecaron:ě ncaron:ň Uring:Ů uring:ů Odblac:Ő odblac:ő udblac:ű Idot:İ ' +
  'inodot:ı imath:ı num:# dollar:$ percnt:% lpar:( rpar:) ast:* plus:+ comma:, period:. ' +
  'sol:/ colon:: semi:; equals:= quest:? commat:@ lsqb:[ lbrack:[ bsol:\\ rsqb:] rbrack:] ' +
  'Hat:^ lowbar:_ grave:` lcub:{ lbrace:{ verbar:| vert:| rcub:} rbrace:} hyphen:‐ dash:‐'

const entities = new Map<string, string>([
  ...latin.split(' ').map((name, index) => [name, String.fromCodePoint(160 + index)] as const),
  ...greek.split(' ').map((name, index) => [name, String.fromCodePoint(913 + index)] as const),
  ...others.split(' ').map((pair) => {
    const at = pair.indexOf(':')
    return [pair.slice(0, at), pair.slice(at + 1)] as const
  }),
  ...['ensp', 'emsp', 'thinsp', 'hairsp'].map((name) => [name, ' '] as const),
  ...['zwnj', 'zwj', 'lrm', 'rlm', 'shy'].map((name) => [name, ''] as const),
])

const entityForm = /&(?:#(\d{1,7})|#[xX]([\da-fA-F]{1,6})|([A-Za-z][A-Za-z\d]{1,9}));/g

// What browsers take for the control characters from 128 on.
const windows = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ'

/** A text in which entities stand for their characters; what is no entity stays as it is. */
export function decodeEntities(text: string): string {
  if (!text.includes('&')) return text
  return text.replace(entityForm, (whole, decimal?: string, hex?: string, name?: string) => {
    if (name !== undefined) return entities.get(name) ?? whole
    const code = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal)
    if (code >= 128 && code < 160) return windows[code - 128] ?? whole
    const isCharacter = code >= 32 && code <= 0x10_ff_ff && (code < 0xd800 || code > 0xdfff)
    return isCharacter || code === 9 || code === 10 ? String.fromCodePoint(code) : whole
  })
}

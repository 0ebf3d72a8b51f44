// What the commands of LaTeX stand for, as tables: names and signs in turn.

/** `alpha α beta β` as a table. */
function table(text: string): ReadonlyMap<string, string> {
  const words = text.trim().split(/\s+/)
  const pairs = words.flatMap((word, index): [string, string][] => {
    return index % 2 === 0 ? [[word, words[index + 1] ?? '']] : []
  })
  return new Map(pairs)
}

function names(text: string): ReadonlySet<string> {
  return new Set(text.trim().split(/\s+/))
}

/** Accents, as the marks that Unicode puts on the letter before them. */
export const accents: ReadonlyMap<string, string> = new Map([
  ['`', '\u0300'],
  ["'", '\u0301'],
  ['^', '\u0302'],
  ['~', '\u0303'],
  ['=', '\u0304'],
  ['u', '\u0306'],
  ['.', '\u0307'],
  ['"', '\u0308'],
  ['h', '\u0309'],
  ['r', '\u030a'],
  ['H', '\u030b'],
  ['v', '\u030c'],
  ['d', '\u0323'],
  ['textcommabelow', '\u0326'],
  ['c', '\u0327'],
  ['k', '\u0328'],
  ['b', '\u0331'],
  ['t', '\u0361'],
  ['G', '\u030f'],
  ['U', '\u030e'],
])

/** Accents with a name, which formulas have. */
export const mathAccents: ReadonlyMap<string, string> = new Map([
  ['grave', '\u0300'],
  ['acute', '\u0301'],
  ['hat', '\u0302'],
  ['widehat', '\u0302'],
  ['tilde', '\u0303'],
  ['widetilde', '\u0303'],
  ['bar', '\u0304'],
  ['overline', '\u0305'],
  ['breve', '\u0306'],
  ['dot', '\u0307'],
  ['ddot', '\u0308'],
  ['mathring', '\u030a'],
  ['check', '\u030c'],
  ['vec', '\u20d7'],
])

/** What an accent is called that stands on nothing; others are themselves. */
export const lonelyAccents: ReadonlyMap<string, string> = table(
  'u ˘ r ˚ H ˝ v ˇ c ¸ k ˛ = ¯ . ˙ d . b _ t ͡ h ̉ textcommabelow , G ̏ U ̎',
)

const cyrillicNames =
  'a b v g d e zh z i ishrt k l m n o p r s t u f h c ch sh shch hrdsn ery sftsn erev yu ya'
const cyrillic = cyrillicNames.split(' ').map((name, index) => {
  return [name, String.fromCodePoint(0x430 + index)] as const
})

/** Letters and signs that a command stands for, in text and in formulas. */
export const signs: ReadonlyMap<string, string> = new Map([
  ...table(`
ss ß SS ẞ ae æ AE Æ oe œ OE Œ aa å AA Å o ø O Ø l ł L Ł i ı j ȷ dh ð DH Ð dj đ DJ Đ th þ TH Þ
ng ŋ NG Ŋ ij ĳ IJ Ĳ imath ı jmath ȷ textdh ð textth þ textdotlessi ı textdotlessj ȷ
textendash – textemdash — endash – emdash — hyphen -
textellipsis … ldots … dots … dotsc … dotsb … cdots ⋯ vdots ⋮ ddots ⋱
textquoteleft ‘ textquoteright ’ textquotedblleft “ textquotedblright ” textquotedbl "
textquotesingle ' quotesinglbase ‚ quotedblbase „ guillemotleft « guillemotright »
guillemetleft « guillemetright » guilsinglleft ‹ guilsinglright › lq ‘ rq ’ glqq „ grqq “
glq ‚ grq ‘ flqq « frqq » flq ‹ frq › og « fg » textexclamdown ¡ textquestiondown ¿
textbackslash \\ backslash \\ textasciitilde ~ textasciicircum ^ textunderscore _ textbar |
textless < textgreater > textbraceleft { textbraceright } lbrace { rbrace } textdollar $
textasciigrave \` textasciiacute ´ textasciimacron ¯ textasciidieresis ¨ textasteriskcentered *
textperiodcentered · textbullet • textdagger † textdaggerdbl ‡ dag † ddag ‡ dagger † ddagger ‡
textsection § textparagraph ¶ S § P ¶ copyright © textcopyright © textregistered ®
texttrademark ™ textservicemark ℠ pounds £ textsterling £ texteuro € euro € EUR € textcent ¢
textyen ¥ textcurrency ¤ textdegree ° degree ° textcelsius ℃ textnumero № textmu µ micro µ
texttimes × textdiv ÷ textpm ± textminus − textonehalf ½ textonequarter ¼ textthreequarters ¾
textonesuperior ¹ texttwosuperior ² textthreesuperior ³ textordfeminine ª textordmasculine º
textfractionsolidus ⁄ textperthousand ‰ textpertenthousand ‱ textohm Ω textestimated ℮ textlnot ¬
textbrokenbar ¦ textdblhyphen ⸗ textvisiblespace ␣ textrightarrow → textleftarrow ← textuparrow ↑
textdownarrow ↓ slash / hyp - textnormalhyphen - textvertline | textschwa ə textesh ʃ
TeX TeX LaTeX LaTeX LaTeXe LaTeX2ε BibTeX BibTeX XeTeX XeTeX LuaTeX LuaTeX pdfTeX pdfTeX
XeLaTeX XeLaTeX LuaLaTeX LuaLaTeX pdfLaTeX pdfLaTeX eTeX ε-TeX ConTeXt ConTeXt PiCTeX PiCTeX
AmS AMS AMS AMS AmSTeX AMS-TeX AmSLaTeX AMS-LaTeX AllTeX (La)TeX LyX LyX TikZ TikZ
KOMAScript KOMA-Script METAFONT METAFONT METAPOST METAPOST MP METAPOST XML XML HTML HTML
SGML SGML PDF PDF DVI DVI CTAN CTAN TUG TUG Dash —
MF METAFONT cprime ʹ cdprime ʺ cydot · Dbar Đ dbar đ lasp ‘ rasp ’
alpha α beta β gamma γ delta δ epsilon ϵ varepsilon ε zeta ζ eta η theta θ vartheta ϑ iota ι
kappa κ varkappa ϰ lambda λ mu μ nu ν xi ξ omicron ο pi π varpi ϖ rho ρ varrho ϱ sigma σ
varsigma ς tau τ upsilon υ phi ϕ varphi φ chi χ psi ψ omega ω
Gamma Γ Delta Δ Theta Θ Lambda Λ Xi Ξ Pi Π Sigma Σ Upsilon Υ Phi Φ Psi Ψ Omega Ω
textalpha α textbeta β textgamma γ textdelta δ textepsilon ε textzeta ζ texteta η texttheta θ
textiota ι textkappa κ textlambda λ textnu ν textxi ξ textpi π textrho ρ textsigma σ texttau τ
textupsilon υ textphi φ textchi χ textpsi ψ textomega ω textGamma Γ textDelta Δ textTheta Θ
textLambda Λ textXi Ξ textPi Π textSigma Σ textPhi Φ textPsi Ψ textOmega Ω
upalpha α upbeta β upgamma γ updelta δ upepsilon ε uplambda λ upmu μ upnu ν uppi π uprho ρ
upsigma σ uptau τ upomega ω
ell ℓ hbar ℏ hslash ℏ Re ℜ Im ℑ wp ℘ aleph ℵ beth ℶ partial ∂ nabla ∇ infty ∞ emptyset ∅
varnothing ∅ forall ∀ exists ∃ nexists ∄ neg ¬ lnot ¬ top ⊤ bot ⊥ angle ∠ prime ′ surd √
times × div ÷ pm ± mp ∓ cdot ⋅ cdotp · centerdot · ast ∗ star ⋆ circ ∘ bullet • oplus ⊕
ominus ⊖ otimes ⊗ oslash ⊘ odot ⊙ wedge ∧ land ∧ vee ∨ lor ∨ cap ∩ cup ∪ setminus ∖
smallsetminus ∖ sqcap ⊓ sqcup ⊔ uplus ⊎ amalg ⨿ wr ≀ diamond ⋄ triangle △ Box □ square □
Diamond ◇ blacksquare ■ bigcirc ◯ ltimes ⋉ rtimes ⋊
leq ≤ le ≤ leqslant ⩽ geq ≥ ge ≥ geqslant ⩾ lt < gt > ll ≪ gg ≫ neq ≠ ne ≠ equiv ≡ sim ∼
simeq ≃ approx ≈ cong ≅ propto ∝ varpropto ∝ asymp ≍ doteq ≐ prec ≺ succ ≻ preceq ⪯ succeq ⪰
lesssim ≲ gtrsim ≳ subset ⊂ supset ⊃ subseteq ⊆ supseteq ⊇ subsetneq ⊊ supsetneq ⊋
sqsubseteq ⊑ sqsupseteq ⊒ in ∈ ni ∋ notin ∉ mid ∣ nmid ∤ parallel ∥ nparallel ∦ perp ⊥
vdash ⊢ dashv ⊣ models ⊨ vDash ⊨ Vdash ⊩ bowtie ⋈ smile ⌣ frown ⌢ colon : coloneqq ≔
to → rightarrow → longrightarrow ⟶ Rightarrow ⇒ Longrightarrow ⟹ implies ⟹ leftarrow ← gets ←
longleftarrow ⟵ Leftarrow ⇐ leftrightarrow ↔ Leftrightarrow ⇔ iff ⟺ longleftrightarrow ⟷
mapsto ↦ longmapsto ⟼ hookrightarrow ↪ hookleftarrow ↩ uparrow ↑ downarrow ↓ updownarrow ↕
Uparrow ⇑ Downarrow ⇓ nearrow ↗ searrow ↘ swarrow ↙ nwarrow ↖ rightharpoonup ⇀
rightleftharpoons ⇌ rightsquigarrow ⇝ leadsto ⇝ twoheadrightarrow ↠ upharpoonright ↾
sum ∑ prod ∏ coprod ∐ int ∫ iint ∬ iiint ∭ oint ∮ bigcap ⋂ bigcup ⋃ bigsqcup ⨆ bigvee ⋁
bigwedge ⋀ bigodot ⨀ bigoplus ⨁ bigotimes ⨂ biguplus ⨄
langle ⟨ rangle ⟩ lfloor ⌊ rfloor ⌋ lceil ⌈ rceil ⌉ vert | lvert | rvert | Vert ‖ lVert ‖ rVert ‖
lbrack [ rbrack ] flat ♭ sharp ♯ natural ♮ clubsuit ♣ diamondsuit ♢ heartsuit ♡ spadesuit ♠
checkmark ✓ maltese ✠ odots ⊙ sun ☉ earth ♁ eth ð digamma ϝ complement ∁ therefore ∴ because ∵
lhd ⊲ rhd ⊳ unlhd ⊴ unrhd ⊵ trianglelefteq ⊴ triangleright ▹ triangleleft ◃ dotplus ∔
textfrac12 ½ permil ‰ ohm Ω angstrom Å celsius ℃ textpeso ₱ textwon ₩ textnaira ₦ textbaht ฿
textdong ₫ textflorin ƒ textlira ₤ textcolonmonetary ₡ copyleft 🄯 textinterrobang ‽`),
  ...cyrillic.map(([name, letter]) => [`cyr${name}`, letter] as const),
  ...cyrillic.map(([name, letter]) => {
    return [`CYR${name.toUpperCase()}`, letter.toUpperCase()] as const
  }),
  ['cyryo', 'ё'],
  ['CYRYO', 'Ё'],
])

/** Commands that are words of formulas. */
export const functionNames = names(
  'arccos arcsin arctan arg cos cosh cot coth csc deg det dim exp gcd hom inf ker lg lim liminf ' +
    'limsup ln log max min Pr sec sin sinh sup tan tanh mod bmod',
)

/** Commands that print what follows them in braces, in another face or size. */
export const wrappers = names(
  'emph textit textbf texttt textsc textrm textsf textup textmd textsl textnormal textlf ' +
    'underline uline mbox hbox fbox makebox text mathrm mathit mathbf mathsf mathtt mathnormal ' +
    'mathop mathord mathbin mathrel mathopen mathclose mathpunct operatorname operatorname* ' +
    'boldsymbol bm pmb ensuremath NoCaseChange acro textgreek textcyrillic textlatin ' +
    'mkbibemph mkbibbold mkbibitalic mkbibacro bibstring autocap url path nolinkurl hyphenate ' +
    'smash sout so sw oldstylenums uppercasesingleletters singleletter',
)

/** Commands whose braces do not reach the page. */
export const silentWithArgument = names(
  'noopsort SortNoop sortnoop noop SortNoOp hspace vspace hspace* vspace* phantom hphantom ' +
    'vphantom label index color',
)

/** Commands whose braces stand at the foot of the page. */
export const footnotes = names('footnote footnotetext footnotemark thanks')

/** Commands that change the face, the size or the place, and print nothing. */
export const silent = names(
  'em it bf rm sc sf tt sl cal mit bfseries itshape scshape rmfamily sffamily ttfamily slshape ' +
    'upshape mdseries normalfont normalsize tiny scriptsize footnotesize small large Large LARGE ' +
    'huge Huge boldmath unboldmath displaystyle textstyle scriptstyle scriptscriptstyle relax ' +
    'protect left right middle big Big bigg Bigg bigl bigr Bigl Bigr biggl biggr Biggl Biggr ' +
    'limits nolimits noindent allowbreak nobreak break nolinebreak newblock null nonumber unskip ' +
    'ignorespaces xspace sloppy raggedright centering selectfont strut textcompwordmark ' +
    'leavevmode nocorr - ! @ /',
)

/** Commands that are a space. */
export const spaces = names(
  'quad qquad enspace enskip thinspace medspace thickspace space nobreakspace newline linebreak ' +
    'hfill hfil addspace tab , ; : >',
)

/** Alphabets of formulas: where their letters begin in Unicode, and those that stand elsewhere. */
export const alphabets: ReadonlyMap<string, readonly [start: number, others: string]> = new Map([
  ['mathbb', [0x1d538, 'CℂHℍNℕPℙQℚRℝZℤ'] as const],
  ['Bbb', [0x1d538, 'CℂHℍNℕPℙQℚRℝZℤ'] as const],
  ['mathcal', [0x1d49c, 'BℬEℰFℱHℋIℐLℒMℳRℛeℯgℊoℴ'] as const],
  ['mathscr', [0x1d49c, 'BℬEℰFℱHℋIℐLℒMℳRℛeℯgℊoℴ'] as const],
  ['mathfrak', [0x1d504, 'CℭHℌIℑRℜZℨ'] as const],
  ['frak', [0x1d504, 'CℭHℌIℑRℜZℨ'] as const],
])

function signPairs(letters: string, written: string): ReadonlyMap<string, string> {
  const forms = Array.from(written)
  return new Map(Array.from(letters).map((letter, index) => [letter, forms[index] ?? letter]))
}

/** Signs with a raised form in Unicode. What is raised anyway is itself. */
export const raised = signPairs(
  "0123456789+-−–=()abcdefghijklmnoprstuvwxyzABDEGHIJKLMNOPRTUVWβγδθφϕχ∘′*∗†‡®™°'",
  '⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁻⁼⁽⁾ᵃᵇᶜᵈᵉᶠᵍʰⁱʲᵏˡᵐⁿᵒᵖʳˢᵗᵘᵛʷˣʸᶻᴬᴮᴰᴱᴳᴴᴵᴶᴷᴸᴹᴺᴼᴾᴿᵀᵁⱽᵂᵝᵞᵟᶿᵠᵠᵡ°′**†‡®™°′',
)

/** Signs with a lowered form in Unicode. */
export const lowered = signPairs(
  '0123456789+-−=()aehijklmnoprstuvxβγρφϕχ',
  '₀₁₂₃₄₅₆₇₈₉₊₋₋₌₍₎ₐₑₕᵢⱼₖₗₘₙₒₚᵣₛₜᵤᵥₓᵦᵧᵨᵩᵩᵪ',
)

const journalNames = `
aj Astronomical Journal;actaa Acta Astronomica;araa Annual Review of Astronomy and Astrophysics;
apj Astrophysical Journal;apjl Astrophysical Journal Letters;
apjs Astrophysical Journal Supplement Series;ao Applied Optics;
apss Astrophysics and Space Science;aap Astronomy and Astrophysics;
aapr Astronomy and Astrophysics Reviews;aaps Astronomy and Astrophysics Supplement Series;
icarus Icarus;jcap Journal of Cosmology and Astroparticle Physics;
jgr Journal of Geophysical Research;
jqsrt Journal of Quantitative Spectroscopy and Radiative Transfer;
mnras Monthly Notices of the Royal Astronomical Society;nat Nature;nar New Astronomy Reviews;
na New Astronomy;pasa Publications of the Astronomical Society of Australia;
pasp Publications of the Astronomical Society of the Pacific;
pasj Publications of the Astronomical Society of Japan;physrep Physics Reports;
planss Planetary and Space Science;pra Physical Review A;prb Physical Review B;
prc Physical Review C;prd Physical Review D;pre Physical Review E;prl Physical Review Letters;
procspie Proceedings of the SPIE;rmp Reviews of Modern Physics;
rmxaa Revista Mexicana de Astronomía y Astrofísica;solphys Solar Physics;
ssr Space Science Reviews;skytel Sky and Telescope;sovast Soviet Astronomy;
zap Zeitschrift für Astrophysik;gca Geochimica et Cosmochimica Acta;
grl Geophysical Research Letters;psj Planetary Science Journal`

/** Journals of astronomy, by the commands that the styles of its journals have for them. */
export const journals: ReadonlyMap<string, string> = new Map(
  journalNames.split(';').map((each): [string, string] => {
    const [name = '', ...text] = each.trim().split(' ')
    return [name, text.join(' ')]
  }),
)

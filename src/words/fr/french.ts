import { account } from '#src/words/fr/account.ts'
import { comparison } from '#src/words/fr/comparison.ts'
import { consent } from '#src/words/fr/consent.ts'
import { credentials } from '#src/words/fr/credentials.ts'
import { errors } from '#src/words/fr/errors.ts'
import { fields } from '#src/words/fr/fields.ts'
import { figures } from '#src/words/fr/figures.ts'
import { frame } from '#src/words/fr/frame.ts'
import { home } from '#src/words/fr/home.ts'
import { kinds } from '#src/words/fr/kinds.ts'
import { landing } from '#src/words/fr/landing.ts'
import { mails } from '#src/words/fr/mails.ts'
import { owners } from '#src/words/fr/owners.ts'
import { record } from '#src/words/fr/record.ts'
import { relations } from '#src/words/fr/relations.ts'
import { search } from '#src/words/fr/search.ts'
import { standing } from '#src/words/fr/standing.ts'
import { types } from '#src/words/fr/types.ts'
import { Language } from '#src/words/language.ts'

// The terms, as ORCID, HAL and the OAI community have them in French:
// work: travail, travaux · record: notice · register: enregistrer · registry: registre ·
// version: version · receipt: reçu · log: journal (a scholarly journal is a revue) ·
// append-only: en ajout seul · entry: entrée · statement: déclaration · checkpoint: point de contrôle ·
// hash: empreinte · root hash: empreinte racine · proof: preuve · key: clé · tile: tuile ·
// publisher: éditeur · researcher: chercheur · claim: revendiquer · withdraw: retirer ·
// retract: rétracter · withhold: suspendre l’accès · tombstone: page de retrait ·
// harvest: moissonner · resolve: résoudre · feed: flux · landing page: page de présentation ·
// sign in: se connecter · sandbox: bac à sable. Readers are “vous”. A space that does not break
// stands before a colon (U+00A0) and a question mark (U+202F).
export const french = new Language({
  tag: 'fr',
  name: 'Français',
  translations: {
    account,
    comparison,
    consent,
    credentials,
    errors,
    fields,
    figures,
    frame,
    home,
    kinds,
    landing,
    mails,
    owners,
    record,
    relations,
    search,
    standing,
    types,
  },
})

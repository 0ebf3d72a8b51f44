import { account } from '#src/words/de/account.ts'
import { comparison } from '#src/words/de/comparison.ts'
import { consent } from '#src/words/de/consent.ts'
import { consortium } from '#src/words/de/consortium.ts'
import { credentials } from '#src/words/de/credentials.ts'
import { errors } from '#src/words/de/errors.ts'
import { fields } from '#src/words/de/fields.ts'
import { figures } from '#src/words/de/figures.ts'
import { frame } from '#src/words/de/frame.ts'
import { home } from '#src/words/de/home.ts'
import { kinds } from '#src/words/de/kinds.ts'
import { landing } from '#src/words/de/landing.ts'
import { mails } from '#src/words/de/mails.ts'
import { owners } from '#src/words/de/owners.ts'
import { record } from '#src/words/de/record.ts'
import { relations } from '#src/words/de/relations.ts'
import { search } from '#src/words/de/search.ts'
import { standing } from '#src/words/de/standing.ts'
import { types } from '#src/words/de/types.ts'
import { Language } from '#src/words/language.ts'

// The terms, as ORCID, DataCite, Zenodo and German libraries have them:
// work: Werk · record, entry: Eintrag (of OAI-PMH: Datensatz) · register: registrieren · registry: Register ·
// version: Version · receipt: Quittung · log: Log · append-only: an das nur angehängt wird ·
// statement: Aussage · checkpoint: Checkpoint · hash: Hash · root hash: Wurzel-Hash · proof: Beweis ·
// key: Schlüssel · tile: Tile · identifier: Kennung · publisher: Verlag · researcher: Forschende ·
// withdraw: zurückziehen · retract: widerrufen · correct: berichtigen · withhold: zurückhalten · notice: Hinweis ·
// declare: angeben · content check: Inhaltsprüfung · harvest: harvesten · resolve: auflösen · feed: Feed ·
// landing page: Landingpage · sign in: sich anmelden · sandbox: Sandbox. Readers are “Sie”.
export const german = new Language({
  tag: 'de',
  name: 'Deutsch',
  translations: {
    account,
    comparison,
    consent,
    consortium,
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

import { account } from '#src/words/es/account.ts'
import { comparison } from '#src/words/es/comparison.ts'
import { consent } from '#src/words/es/consent.ts'
import { credentials } from '#src/words/es/credentials.ts'
import { errors } from '#src/words/es/errors.ts'
import { fields } from '#src/words/es/fields.ts'
import { figures } from '#src/words/es/figures.ts'
import { frame } from '#src/words/es/frame.ts'
import { home } from '#src/words/es/home.ts'
import { kinds } from '#src/words/es/kinds.ts'
import { landing } from '#src/words/es/landing.ts'
import { mails } from '#src/words/es/mails.ts'
import { owners } from '#src/words/es/owners.ts'
import { record } from '#src/words/es/record.ts'
import { relations } from '#src/words/es/relations.ts'
import { search } from '#src/words/es/search.ts'
import { standing } from '#src/words/es/standing.ts'
import { types } from '#src/words/es/types.ts'
import { Language } from '#src/words/language.ts'

// The terms, as ORCID, DataCite, Zenodo and SciELO have them in Spanish:
// work: obra · record, registry: registro (a record: datos, where both would be read) · register: registrar ·
// version: versión · receipt: comprobante · log: log · append-only: al que solo se añade · entry: entrada ·
// statement: declaración · checkpoint: punto de control · hash: hash · root hash: hash raíz · proof: prueba ·
// key: clave · tile: tesela · identifier: identificador · publisher: editorial · researcher: investigador ·
// withdraw: retirar · retract: retractar · withhold: retener · notice: aviso · check content: comprobar ·
// check a receipt: verificar · harvest: recolectar · resolve: resolver · feed: canal ·
// landing page: página de destino · sign in: iniciar sesión · sandbox: entorno de pruebas. Readers are “usted”.
export const spanish = new Language({
  tag: 'es',
  name: 'Español',
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

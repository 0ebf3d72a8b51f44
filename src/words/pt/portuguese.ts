import { account } from '#src/words/pt/account.ts'
import { comparison } from '#src/words/pt/comparison.ts'
import { consent } from '#src/words/pt/consent.ts'
import { credentials } from '#src/words/pt/credentials.ts'
import { errors } from '#src/words/pt/errors.ts'
import { fields } from '#src/words/pt/fields.ts'
import { figures } from '#src/words/pt/figures.ts'
import { frame } from '#src/words/pt/frame.ts'
import { home } from '#src/words/pt/home.ts'
import { kinds } from '#src/words/pt/kinds.ts'
import { landing } from '#src/words/pt/landing.ts'
import { mails } from '#src/words/pt/mails.ts'
import { owners } from '#src/words/pt/owners.ts'
import { record } from '#src/words/pt/record.ts'
import { relations } from '#src/words/pt/relations.ts'
import { search } from '#src/words/pt/search.ts'
import { standing } from '#src/words/pt/standing.ts'
import { types } from '#src/words/pt/types.ts'
import { Language } from '#src/words/language.ts'

// Brazil’s spelling: four of five speakers, SciELO and IBICT write it. The terms, as they and ORCID
// have them:
// work: trabalho · record, registry: registro · register: registrar · version: versão ·
// receipt: recibo · log: log (a journal is a periódico) · append-only: ao qual só se acrescenta ·
// entry: entrada · statement: declaração · checkpoint: checkpoint · hash: hash · root hash: hash raiz ·
// proof: prova · key: chave · tile: bloco · publisher: editora · researcher: pesquisador ·
// claim: reivindicar · withdraw: retirar · retract: retratar · withhold: suspender o acesso ·
// tombstone: página de retirada · harvest: coletar · resolve: resolver · feed: feed ·
// landing page: página de destino · sign in: entrar · sandbox: ambiente de testes. Readers are “você”.
export const portuguese = new Language({
  tag: 'pt',
  name: 'Português',
  locale: 'pt-BR',
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

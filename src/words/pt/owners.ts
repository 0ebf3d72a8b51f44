import type { owners as english } from '#src/words/en/owners.ts'
import type { Translation } from '#src/words/message.ts'

export const owners: Translation<typeof english> = {
  registered: `.input {$count :integer} .match $count
    one {{{$count} trabalho registrado aqui}}
    * {{{$count} trabalhos registrados aqui}}`,
  authors: `.input {$count :integer} .match $count
    one {{{$count} autor verificado}}
    * {{{$count} autores verificados}}`,
  alsoKnownAs: 'Também conhecida como',
  website: 'Site',
  country: 'País',
  registryName: 'Nome no registro',
  since: 'Aqui desde',
  newestFirst: 'Trabalhos, do mais recente ao mais antigo',
  noWorks: 'Esta editora ainda não registrou trabalhos.',
  searchThese: 'Pesquisar nestes trabalhos',
  statistics: 'Estatísticas destes trabalhos',
  forPrograms: 'Para programas:',
  oaiSet: 'Conjunto OAI-PMH',
  identifier: 'Identificador',
  links: 'Links',
  works: 'Trabalhos',
  filterThese: 'Pesquisar e filtrar estes trabalhos',
  affiliations: 'Afiliações',
  education: 'Formação',
  profileJson: 'este perfil em JSON',
  testPerson: '{#strong}Ambiente de testes:{/strong} esta é uma pessoa de teste.',
  orcidSignedIn: 'entrou com ele',
  notConfirmed: 'não confirmado',
  claimedBy: 'Atribuído por {$by} em {$day}.',
  byRegistrant: 'Confirmado pela editora do trabalho.',
  byOrcid: 'A pessoa entrou com um ORCID iD que o trabalho menciona.',
  byAdmin: 'Decidido por um administrador deste registro.',
  thePerson: 'a própria pessoa',
  anApplication: 'um aplicativo da pessoa',
  theOperator: 'o operador deste registro',
  addedBy: 'adicionada por {$by} em {$day}',
  changedOn: 'adicionada por {$by} em {$day}, alterada em {$changed}',
  contested: 'contestada pela pessoa',
}

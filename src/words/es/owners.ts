import type { owners as english } from '#src/words/en/owners.ts'
import type { Translation } from '#src/words/message.ts'

export const owners: Translation<typeof english> = {
  registered: `.input {$count :integer} .match $count
    one {{1 obra registrada aquí}}
    * {{{$count} obras registradas aquí}}`,
  authors: `.input {$count :integer} .match $count
    one {{1 autor verificado}}
    * {{{$count} autores verificados}}`,
  alsoKnownAs: 'También conocida como',
  website: 'Sitio web',
  country: 'País',
  registryName: 'Nombre en el registro',
  since: 'Aquí desde',
  newestFirst: 'Obras, de la más reciente a la más antigua',
  noWorks: 'Esta editorial todavía no ha registrado obras.',
  searchThese: 'Buscar en estas obras',
  statistics: 'Estadísticas de estas obras',
  forPrograms: 'Para programas:',
  oaiSet: 'Conjunto OAI-PMH',
  identifier: 'Identificador',
  links: 'Enlaces',
  works: 'Obras',
  filterThese: 'Buscar y filtrar estas obras',
  affiliations: 'Afiliaciones',
  education: 'Formación',
  profileJson: 'este perfil como JSON',
  testPerson: '{#strong}Entorno de pruebas:{/strong} esta es una persona de prueba.',
  orcidSignedIn: 'inició sesión con él',
  notConfirmed: 'sin confirmar',
  claimedBy: 'Atribuida por {$by} el {$day}.',
  byRegistrant: 'Confirmada por la editorial de la obra.',
  byOrcid: 'La persona inició sesión con un ORCID iD que la obra nombra.',
  byAdmin: 'Decidida por un administrador de este registro.',
  thePerson: 'la propia persona',
  anApplication: 'una aplicación de la persona',
  theOperator: 'el operador de este registro',
  addedBy: 'añadida por {$by} el {$day}',
  changedOn: 'añadida por {$by} el {$day}, modificada el {$changed}',
  contested: 'impugnada por la persona',
}

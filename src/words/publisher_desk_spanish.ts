// The terms are those that stand above the catalogue of readers’ pages in Spanish. Further ones of the desk:
// member: miembro · to undo: deshacer · preview: vista previa · bulk change: cambio masivo · desk: escritorio.
import type { Catalogue } from '#src/words/message.ts'
import type * as english from '#src/words/publisher_desk.ts'

/** The desk of publishers in Spanish. */
export const publisherDesk = () =>
  ({
    organizationClaims: {
      heading: 'Reivindicaciones de autoría',
      confirmed: 'Ha confirmado: la persona cuenta como autora.',
      rejected: 'Ha rechazado: la persona no cuenta como autora.',
      none: 'No hay reivindicaciones por responder',
      noneText: 'Cuando alguien dice que escribió obras de esta organización, usted responde aquí.',
    },
    undoing: {
      heading: 'Deshacer muchos cambios',
      lead: 'Para una clave robada o una cuenta mal utilizada: primero revoque la clave o termine la pertenencia. Después deshaga aquí lo que hizo con las obras. Verá cada obra antes de que cambie algo.',
      by: 'Hecho por',
      since: 'Desde',
      sinceHint: 'Un día o una hora en UTC, como 2026-11-28T15:00.',
      reasonHint: 'La ven los lectores de las obras retiradas.',
      whatHappens:
        'Retiramos de forma permanente las obras registradas desde entonces. Registramos de nuevo las obras retiradas: reciben un ARK nuevo, y la página del ARK antiguo lo nombra. Las demás obras reciben una nueva versión con sus metadatos anteriores. Omitimos las obras que otra persona cambió después, y las mostramos en una lista.',
      preview: 'Ver los cambios antes',
      other: 'Cambiar obras de otra manera',
    },
    withdrawals: {
      reason: 'Motivo',
      choose: 'Elija uno',
      author_request: 'Lo pidieron los autores',
      retraction: 'Retractación: no se fíe de sus conclusiones',
      duplicate: 'Está registrada dos veces',
      copyright: 'Derechos de autor',
      fraud: 'Fraude o mala conducta',
      court_order: 'Orden judicial',
      rights_of_others: 'Derechos de terceros',
      personal_data: 'Datos personales',
      legal: 'Otro motivo legal',
      test: 'Era una prueba',
      other: 'Otro motivo (explíquelo en la nota)',
      note: 'Nota para los lectores',
    },
  }) satisfies Catalogue<typeof english>

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
    members: {
      heading: 'Miembros',
      asViewer: 'Lector: ve lo que ven los miembros',
      asEditor: 'Editor: registra obras y describe la organización',
      asOwner: 'Propietario: puede hacerlo todo, también claves, aplicaciones y miembros',
      table: 'Miembros, los más antiguos primero',
      none: 'Aún no hay miembros',
      noneText: 'Un administrador del registro puede añadir al primero.',
      person: 'Persona',
      you: ' (usted)',
      role: 'Función',
      roleOf: 'Función de {$name}',
      change: 'Cambiar función',
      leaveColumn: 'Salir o quitar',
      leaveLink: 'Salir…',
      removeLink: 'Quitar…',
      removeOf: 'Quitar a {$name}…',
      addAtOnce: 'Añadir a alguien por su nombre de usuario, sin invitación',
      addHeading: 'Añadir un miembro',
      username: 'Nombre de usuario o identificador',
      usernameHint: 'Como lo muestra su perfil: ada, o p seguida de letras y cifras.',
      add: 'Añadir miembro',
      added: 'La persona ya es miembro.',
      organizationAdded: 'La organización se ha añadido. Añada aquí a su primer propietario.',
      changed: 'La función se ha cambiado.',
      removed: 'La persona ya no es miembro.',
      invited: 'Hemos enviado la invitación. La verá abajo hasta que se responda.',
      canceled: 'La invitación se ha cancelado. Su enlace ya no es válido.',
      noPerson: 'No hay nadie con este nombre de usuario o identificador.',
      alreadyMember: 'La persona ya es miembro. Cambie su función abajo.',
      notMember: 'La persona ya no es miembro.',
      lastOwner: 'Una organización debe conservar un propietario. Primero nombre a otro.',
      tooMany: 'La organización tiene todos los miembros que puede tener.',
      onlyOwners: 'Solo los propietarios pueden cambiar los miembros de una organización.',
      leaveHeading: '¿Salir de {$organization}?',
      removeHeading: '¿Quitar a {$name}?',
      youLose:
        'Ya no podrá ver sus páginas ni registrar obras para ella. Un propietario puede añadirle de nuevo.',
      theyLose:
        '{$name} ya no podrá ver sus páginas ni registrar obras para ella. Usted puede añadir de nuevo a esta persona.',
      othersStay: 'Las claves y aplicaciones de la organización siguen funcionando.',
      leave: 'Salir de la organización',
      remove: 'Quitar miembro',
      cancel: 'Cancelar',
      notYet: 'Aún no es posible',
      youAreLast:
        'Usted es el único propietario, y una organización debe conservar uno. Primero {#link}nombre propietario a otro miembro{/link}.',
      youAreAlone:
        'Usted es el único propietario, y una organización debe conservar uno. Primero {#link}añada a otro propietario{/link}.',
      theyAreLast:
        'Esta persona es la única propietaria, y una organización debe conservar un propietario. Primero {#link}nombre propietario a otro miembro{/link}.',
      theyAreAlone:
        'Esta persona es la única propietaria, y una organización debe conservar un propietario. Primero {#link}añada a otro propietario{/link}.',
      closing:
        'Si ya no necesita la organización, pregunte a un administrador del registro. Sus obras y los comprobantes permanecen.',
      inviteHeading: 'Invitar a alguien por correo',
      email: 'Correo electrónico',
      inviteHint:
        'Recibe un enlace para aceptar o rechazar en una semana. Ve el nombre y el correo electrónico de usted.',
      linkHint: 'Este registro no envía correos. Le mostramos un enlace una sola vez: entréguelo.',
      invite: 'Enviar invitación',
      invitations: 'Invitaciones a la espera de respuesta',
      invitationTable: 'Invitaciones',
      address: 'Dirección',
      invitedBy: 'Invitado por',
      sent: 'Enviada',
      validUntil: 'Válida hasta',
      changeColumn: 'Acciones',
      again: 'Enviar de nuevo',
      revoke: 'Cancelar invitación',
      link: 'Enlace de la invitación',
      emailNeeded: 'Escriba una dirección como nombre@example.org.',
      waits_already:
        'Esta dirección ya tiene una invitación. Envíela de nuevo o cancélela primero.',
      too_many: 'Demasiadas invitaciones esperan respuesta. Cancele una o espere una respuesta.',
      too_often:
        'Enviamos un mensaje a esta dirección hace un momento, o muchos hoy. Inténtelo más tarde.',
      not_found: 'Esta invitación ya no está abierta.',
    },
    invitations: {
      heading: 'Le invitan a {$organization}',
      yourRole: 'Su función',
      seen: 'Si acepta, todos los miembros de {$organization} verán su nombre y su correo electrónico.',
      signUp: 'Crear una cuenta para aceptar',
      signIn: 'Iniciar sesión para aceptar',
      over: 'Esta invitación ya no es válida',
      overText:
        'Se respondió, se canceló o se envió de nuevo, o tiene más de una semana. Pida otra a la persona que le invitó.',
      declined: 'Ha rechazado la invitación',
      declinedText: 'No ha ocurrido nada más. El enlace ya no es válido.',
      memberAlready: 'Usted ya es miembro. Un propietario puede cambiar su función.',
      notAllowed: 'La persona que le invitó ya no puede hacerlo. Pregunte a otro propietario.',
    },
    imports: {
      heading: 'Importar obras de un archivo',
      lead: 'Envíe un archivo exportado por su gestor de referencias, o una tabla. Una fila con el ARK de una obra cambia esa obra. Antes de que se registre algo, verá cada entrada como se registrará, y todos los errores. {#template}Plantilla de tabla{/template}',
      file: 'Un archivo BibTeX, RIS, CSV, XML o JSON',
      fileHint:
        'En UTF-8, con {$count :integer} entradas como máximo. XML de DataCite, Crossref, JATS o MODS; CSL-JSON, schema.org, o lo que Crossref y DataCite muestran para un DOI.',
      text: 'O pegue aquí su texto',
      read: 'Leer archivo',
      back: 'Volver a las obras',
      notBoth: 'Elija un archivo o pegue su texto, no ambos.',
      preview: 'Compruebe antes de registrar',
      canRegister: `.input {$all :integer} .match $all
        one {{Puede registrar {$ready :integer} de 1 entrada.}}
        * {{Puede registrar {$ready :integer} de {$all} entradas.}}`,
      canChange: `.input {$changed :integer} .match $changed
        one {{Puede cambiar 1 obra.}}
        * {{Puede cambiar {$changed} obras.}}`,
      othersFail:
        'Las demás tienen errores, que mostramos abajo. Corríjalos en el archivo e impórtelo de nuevo.',
      remarks: 'Nuestras notas sobre el archivo: {$remarks}.',
      left_out: '{$count :integer} omitidos',
      not_read: '{$count :integer} no leídos',
      repeated: '{$count :integer} repetidos',
      taken_as: '{$count :integer} leídos con otro sentido',
      entries: 'Entradas del archivo',
      sendOther: 'Importar otro archivo',
      columns: 'Qué contienen las columnas',
      columnsUnread: `.input {$count :integer} .match $count
        one {{Qué contienen las columnas: no leemos nada de 1 columna}}
        * {{Qué contienen las columnas: no leemos nada de {$count} columnas}}`,
      nothing: 'nada',
      column: 'Columna {$number}',
      perhaps: '¿Es «{$field}»?',
      readAgain: 'Leer de nuevo con estas columnas',
      first_page: 'primera página',
      last_page: 'última página',
      orcids: 'ORCID iD',
      affiliations: 'afiliaciones',
      rors: 'ROR ID',
      funder: 'financiador',
      award: 'ayuda',
      registerHeading: 'Registrar estas obras',
      anyway: `.input {$count :integer} .match $count
        one {{Registrar también la entrada que parece un duplicado}}
        * {{Registrar también las {$count} entradas que parecen duplicados}}`,
      register: `.input {$ready :integer} .match $ready
        0 {{Registrar obras}}
        one {{Registrar 1 obra}}
        * {{Registrar {$ready} obras}}`,
      change: `.input {$changed :integer} .match $changed
        one {{Cambiar 1 obra}}
        * {{Cambiar {$changed} obras}}`,
      registerAndChange: 'Registrar {$ready :integer} y cambiar {$changed :integer} obras',
      done: 'Importación terminada',
      registeredCount: `.input {$count :integer} .match $count
        one {{Se ha registrado 1 obra.}}
        * {{Se han registrado {$count} obras.}}`,
      changedCount: `.input {$count :integer} .match $count
        one {{Se ha cambiado 1 obra.}}
        * {{Se han cambiado {$count} obras.}}`,
      leftCount: `.input {$count :integer} .match $count
        one {{1 entrada no se ha registrado: la tabla dice por qué.}}
        * {{{$count} entradas no se han registrado: la tabla dice por qué.}}`,
      results: 'Qué fue de las entradas',
      toWorks: 'Ir a las obras',
      more: 'Importar más',
      entry: 'Entrada',
      work: 'Obra',
      outcome: 'Resultado',
      line: '{$key}, línea {$line}',
      remarkLine: '{$remark} (línea {$line})',
      noTitle: 'Sin título',
      registered: 'registrada',
      ready: 'lista para registrar',
      duplicate: 'parece un duplicado',
      same: 'sin cambios',
      version: 'versión {$version}',
      notRegistered: 'no registrada',
      wasNotRegistered: 'No se registró.',
    },
  }) satisfies Catalogue<typeof english>

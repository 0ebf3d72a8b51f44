import type { errors as english } from '#src/words/en/errors.ts'
import type { Translation } from '#src/words/message.ts'

export const errors: Translation<typeof english> = {
  not_found: 'Página no encontrada',
  not_acceptable: 'Este formato no está disponible',
  forbidden: 'No puede hacer esto',
  suspended: 'Esta cuenta está suspendida',
  gone: 'Esto ya no es válido',
  conflict: 'Esto entra en conflicto con el estado actual',
  rate_limit_exceeded: 'Demasiados intentos',
  withheld: 'Esta obra está retenida',
  payload_too_large: 'Esto es demasiado grande',
  unavailable: 'El registro está ocupado',
  timeout: 'Esto ha tardado demasiado',
  clock_wrong: 'Ahora no es posible hacer cambios',
  internal_error: 'Algo ha fallado',
  record_damaged: 'Este registro no se puede leer',
  other: 'No hemos podido entender esta solicitud',
  nothingHere: 'No hay nada en esta dirección. Compruebe si hay errores al escribirla.',
  tryLater: 'Inténtelo de nuevo dentro de un momento.',
  failed: 'Es un fallo nuestro y lo hemos anotado. Inténtelo de nuevo más tarde.',
  noChanges:
    'El reloj del registro está mal, por lo que no se puede cambiar nada. Puede seguir leyéndolo todo.',
  waitSeconds: `.input {$seconds :integer} .match $seconds
    one {{Inténtelo de nuevo en {$seconds} segundo.}}
    * {{Inténtelo de nuevo en {$seconds} segundos.}}`,
  waitMinutes: `.input {$minutes :integer} .match $minutes
    one {{Inténtelo de nuevo en {$minutes} minuto.}}
    * {{Inténtelo de nuevo en {$minutes} minutos.}}`,
  report:
    'Si esto se repite, póngase en contacto con el operador de este registro. Indique el error {$status} y la solicitud {$request}.',
  goTo: 'Ir a {$ark}',
  searchInstead: 'Buscar en el registro',
}

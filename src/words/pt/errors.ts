import type { errors as english } from '#src/words/en/errors.ts'
import type { Translation } from '#src/words/message.ts'

export const errors: Translation<typeof english> = {
  not_found: 'Página não encontrada',
  not_acceptable: 'Este formato não está disponível',
  forbidden: 'Você não pode fazer isso',
  suspended: 'Esta conta está suspensa',
  gone: 'Isto não é mais válido',
  conflict: 'Isto está em conflito com o estado atual',
  rate_limit_exceeded: 'Tentativas demais',
  withheld: 'O acesso a este trabalho está suspenso',
  payload_too_large: 'Isto é grande demais',
  unavailable: 'O registro está sobrecarregado',
  timeout: 'A operação demorou demais',
  clock_wrong: 'Não é possível fazer alterações agora',
  internal_error: 'Algo deu errado',
  record_damaged: 'Este registro não pode ser lido',
  other: 'Não conseguimos entender esta solicitação',
  nothingHere: 'Não há nada neste endereço. Verifique se o endereço foi digitado corretamente.',
  tryLater: 'Tente novamente em instantes.',
  failed: 'O erro é nosso e já está anotado. Tente novamente mais tarde.',
  noChanges:
    'O relógio do registro está errado, por isso nada pode ser alterado. Você ainda pode ler tudo.',
  waitSeconds: `.input {$seconds :integer} .match $seconds
    one {{Tente novamente em {$seconds} segundo.}}
    * {{Tente novamente em {$seconds} segundos.}}`,
  waitMinutes: `.input {$minutes :integer} .match $minutes
    one {{Tente novamente em {$minutes} minuto.}}
    * {{Tente novamente em {$minutes} minutos.}}`,
  report:
    'Se isso continuar acontecendo, entre em contato com o operador deste registro. Informe o erro {$status} e a solicitação {$request}.',
  goTo: 'Ir para {$ark}',
  searchInstead: 'Pesquisar no registro',
}

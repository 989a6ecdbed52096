import { defineLocale } from '#kit/model/language.ts'

export const locale = defineLocale({
  'zh-CN': {
    'colleague-unknown': '没有这个账号的员工',
    'job.ask-contact-transfers': '查询企微客户接替结果',
    'job.ask-contact-transfers.help': '向企业微信查询尚未有结果的客户接替，直到全部有结果；未能转接的通知主管。',
    'job.end-contact-protection': '解除企微客户的转接保护',
    'job.end-contact-protection.help': '保护期满的客户恢复为可转接。',
  },
  'en-US': {
    'colleague-unknown': 'No employee has this account',
    'job.ask-contact-transfers': 'Ask about chat contacts being handed over',
    'job.ask-contact-transfers.help':
      'Asks WeCom about transfers without a result until all have one; the manager is told of those that did not go along.',
    'job.end-contact-protection': 'End the protection of chat contacts',
    'job.end-contact-protection.help': 'Contacts whose protection is over may be handed over again.',
  },
  'pt-BR': {
    'colleague-unknown': 'Nenhum funcionário tem esta conta',
    'job.ask-contact-transfers': 'Consultar contatos de chat em transferência',
    'job.ask-contact-transfers.help':
      'Consulta no WeCom as transferências sem resultado até que todas o tenham; o gestor é avisado das que não foram adiante.',
    'job.end-contact-protection': 'Encerrar a proteção de contatos de chat',
    'job.end-contact-protection.help': 'Contatos cuja proteção terminou podem ser transferidos de novo.',
  },
})

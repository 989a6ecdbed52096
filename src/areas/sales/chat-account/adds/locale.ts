import { defineLocale } from '#kit/model/language.ts'

export const locale = defineLocale({
  'zh-CN': {
    title: '加友记录',
    empty: '还没有加过人',
    'field.accountId': '微信',
    'field.at': '加友时间',
    'field.staffId': '当时使用人',
    'field.how': '来自',
    'how.LEAD': '顾问标记',
    'how.CONTACT': '平台通知',
  },
  'en-US': {
    title: 'People added',
    empty: 'Nobody has been added yet',
    'field.accountId': 'Chat account',
    'field.at': 'Added',
    'field.staffId': 'Held by at the time',
    'field.how': 'Told by',
    'how.LEAD': 'Consultant',
    'how.CONTACT': 'Platform',
  },
  'pt-BR': {
    title: 'Pessoas adicionadas',
    empty: 'Ninguém foi adicionado ainda',
    'field.accountId': 'Conta de chat',
    'field.at': 'Adicionado em',
    'field.staffId': 'Em uso por, na época',
    'field.how': 'Informado por',
    'how.LEAD': 'Consultor',
    'how.CONTACT': 'Plataforma',
  },
})

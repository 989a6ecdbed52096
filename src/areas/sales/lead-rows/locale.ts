import { defineLocale } from '#kit/model/language.ts'

/** What is said where something done with a lead leads on to it. */
export const locale = defineLocale({
  'zh-CN': {
    'open-lead': '打开线索',
    'lead-of-other': '这条线索现在不在您的数据范围内，可能已由其他同事跟进',
  },
  'en-US': {
    'open-lead': 'Open the lead',
    'lead-of-other': 'You cannot see this lead any more: a colleague may follow it now',
  },
  'pt-BR': {
    'open-lead': 'Abrir o lead',
    'lead-of-other': 'Você não vê mais este lead: talvez um colega o acompanhe agora',
  },
})

import { defineLocale } from '#kit/model/language.ts'

export const locale = defineLocale({
  'zh-CN': {
    'notice-from-elsewhere': '只能在控制台内把退款通知标记为已处理',
  },
  'en-US': {
    'notice-from-elsewhere': 'Refund notices can only be marked as processed in the console',
  },
  'pt-BR': {
    'notice-from-elsewhere': 'Um aviso de reembolso só pode ser marcado como processado no console',
  },
})

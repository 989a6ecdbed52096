import { defineLocale } from '#kit/model/language.ts'

export const locale = defineLocale({
  'zh-CN': { 'notice-from-elsewhere': '只能在控制台内把退款提醒标记为已处理' },
  'en-US': { 'notice-from-elsewhere': 'A refund notice is marked processed in the console only' },
  'pt-BR': { 'notice-from-elsewhere': 'Um aviso de reembolso só é marcado como tratado dentro do console' },
})

import { defineLocale } from '#kit/model/language.ts'

export const locale = defineLocale({
  'zh-CN': { title: '直播管理' },
  'en-US': { title: 'Live selling' },
  'pt-BR': { title: 'Vendas ao vivo' },
})

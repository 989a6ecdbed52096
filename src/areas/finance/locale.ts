import { defineLocale } from '#kit/model/language.ts'

export const locale = defineLocale({
  'zh-CN': { title: '财务管理' },
  'en-US': { title: 'Finance' },
  'pt-BR': { title: 'Financeiro' },
})

import { defineLocale } from '#kit/model/language.ts'

export const locale = defineLocale({
  'zh-CN': { title: '销售管理' },
  'en-US': { title: 'Sales' },
  'pt-BR': { title: 'Vendas' },
})

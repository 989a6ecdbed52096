import { defineLocale } from '#kit/model/language.ts'

export const locale = defineLocale({
  'zh-CN': { title: '商品管理' },
  'en-US': { title: 'Products' },
  'pt-BR': { title: 'Produtos' },
})

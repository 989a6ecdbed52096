import { defineLocale } from '#kit/model/language.ts'

export const locale = defineLocale({
  'zh-CN': { title: '运营管理' },
  'en-US': { title: 'Operations' },
  'pt-BR': { title: 'Operações' },
})

import { defineLocale } from '#kit/model/language.ts'

export const locale = defineLocale({
  'zh-CN': { title: '组织架构' },
  'en-US': { title: 'Organisation' },
  'pt-BR': { title: 'Organização' },
})

import { defineLocale } from '#kit/model/language.ts'

export const locale = defineLocale({
  'zh-CN': { title: '渠道管理' },
  'en-US': { title: 'Partners' },
  'pt-BR': { title: 'Parceiros' },
})

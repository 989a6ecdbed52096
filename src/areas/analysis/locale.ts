import { defineLocale } from '#kit/model/language.ts'

export const locale = defineLocale({
  'zh-CN': { title: '数据分析' },
  'en-US': { title: 'Analysis' },
  'pt-BR': { title: 'Análises' },
})

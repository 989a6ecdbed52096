import { defineLocale } from '#kit/model/language.ts'

export const locale = defineLocale({
  'zh-CN': { title: '工作台' },
  'en-US': { title: 'Workbench' },
  'pt-BR': { title: 'Área de trabalho' },
})

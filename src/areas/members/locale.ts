import { defineLocale } from '#kit/model/language.ts'

export const locale = defineLocale({
  'zh-CN': { title: '学员管理' },
  'en-US': { title: 'Members' },
  'pt-BR': { title: 'Alunos' },
})

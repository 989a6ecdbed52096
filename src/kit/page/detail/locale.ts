import { defineLocale } from '#kit/model/language.ts'

/** The words of a detail; they come with the first one. */
export const locale = defineLocale({
  'zh-CN': {
    'show-empty': '空字段（{count}）',
    'hide-empty': '收起空字段',
    earlier: '更早的 {count} 条',
    'open-page': '在单独页面打开',
    path: '流程进度',
    steps: '操作',
  },
  'en-US': {
    'show-empty': 'Empty fields ({count})',
    'hide-empty': 'Hide empty fields',
    earlier: '{count} earlier',
    'open-page': 'Open as a page',
    path: 'Progress',
    steps: 'Actions',
  },
  'pt-BR': {
    'show-empty': 'Campos vazios ({count})',
    'hide-empty': 'Ocultar campos vazios',
    earlier: 'Mais {count} {count:anterior|anteriores}',
    'open-page': 'Abrir em página própria',
    path: 'Andamento',
    steps: 'Ações',
  },
})

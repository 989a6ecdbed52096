import { defineLocale } from '#kit/model/language.ts'

export const locale = defineLocale({
  'zh-CN': {
    title: '访问',
    empty: '还没有人打开过这个链接',
    'field.linkId': '链接',
    'field.day': '日期',
    'field.visits': '访问（同一人一天算一次）',
  },
  'en-US': {
    title: 'Visits',
    empty: 'Nobody has opened this link yet',
    'field.linkId': 'Link',
    'field.day': 'Day',
    'field.visits': 'Visits (each visitor once a day)',
  },
  'pt-BR': {
    title: 'Visitas',
    empty: 'Ninguém abriu este link ainda',
    'field.linkId': 'Link',
    'field.day': 'Dia',
    'field.visits': 'Visitas (cada visitante uma vez por dia)',
  },
})

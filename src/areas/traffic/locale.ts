import { defineLocale } from '#kit/model/language.ts'

export const locale = defineLocale({
  'zh-CN': { title: '流量管理', rows: '{name} {value}，查看明细' },
  'en-US': { title: 'Traffic', rows: '{name} {value}, show the records' },
  'pt-BR': { title: 'Tráfego', rows: '{name} {value}, ver os registros' },
})

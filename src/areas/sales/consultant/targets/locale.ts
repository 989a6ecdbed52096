import { defineLocale } from '#kit/model/language.ts'

export const locale = defineLocale({
  'zh-CN': {
    title: '月度目标',
    empty: '还没有设定目标',
    'field.consultantId': '销售账号',
    'field.month': '月份',
    'field.targetFen': '目标金额',
    'field.staffId': '设定人',
    'field.createdAt': '设定时间',
  },
  'en-US': {
    title: 'Targets',
    empty: 'No target has been set yet',
    'field.consultantId': 'Consultant',
    'field.month': 'Month',
    'field.targetFen': 'Target',
    'field.staffId': 'Set by',
    'field.createdAt': 'Set on',
  },
  'pt-BR': {
    title: 'Metas',
    empty: 'Nenhuma meta definida ainda',
    'field.consultantId': 'Consultor',
    'field.month': 'Mês',
    'field.targetFen': 'Meta',
    'field.staffId': 'Definida por',
    'field.createdAt': 'Definida em',
  },
})

import { defineLocale } from '#kit/model/language.ts'

export const locale = defineLocale({
  'zh-CN': {
    title: '分配决定',
    empty: '分配规则还没有处理过这条线索',
    'field.leadId': '线索',
    'field.createdAt': '决定时间',
    'field.ruleName': '规则',
    'field.staffId': '分给',
    'field.passed': '跳过的顾问',
    'field.waited': '等待（分钟）',
    'field.isFallback': '备用',
  },
  'en-US': {
    title: 'Allocation decisions',
    empty: 'The allocation rules have not decided about this lead',
    'field.leadId': 'Lead',
    'field.createdAt': 'Decided',
    'field.ruleName': 'Rule',
    'field.staffId': 'Given to',
    'field.passed': 'Passed over',
    'field.waited': 'Waited (min)',
    'field.isFallback': 'Fallback',
  },
  'pt-BR': {
    title: 'Decisões da distribuição',
    empty: 'As regras de distribuição não decidiram sobre este lead',
    'field.leadId': 'Lead',
    'field.createdAt': 'Decidido em',
    'field.ruleName': 'Regra',
    'field.staffId': 'Entregue a',
    'field.passed': 'Pulados',
    'field.waited': 'Espera (min)',
    'field.isFallback': 'Reserva',
  },
})

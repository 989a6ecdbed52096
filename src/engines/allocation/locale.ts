import { defineLocale } from '#kit/model/language.ts'

export const locale = defineLocale({
  'zh-CN': {
    'line.staff': '顾问',
    'line.weight': '权重',
    'line.own': '账号权重',
    'line.fallback': '备用',
    'line.add': '添加顾问',
    'line.is-off': '{name}（暂停）',
    'job.allocate-leads': '分配线索',
    'job.allocate-leads.help': '按分配规则把等待中的线索分给顾问；等待过久或名额已满时提醒主管。',
    'job.forget-allocation': '清除旧的分配记录',
    'job.forget-allocation.help': '分配记录保留 90 天，之后不能再重放当天。',
  },
  'en-US': {
    'line.staff': 'Consultant',
    'line.weight': 'Weight',
    'line.own': 'Own weight',
    'line.fallback': 'Fallback',
    'line.add': 'Add consultant',
    'line.is-off': '{name} (paused)',
    'job.allocate-leads': 'Allocate leads',
    'job.allocate-leads.help':
      'Gives waiting leads to consultants by the allocation rules, and warns managers of what waits too long or finds everybody full.',
    'job.forget-allocation': 'Remove old allocation records',
    'job.forget-allocation.help': 'How leads were allocated is kept for 90 days; older days can no longer be replayed.',
  },
  'pt-BR': {
    'line.staff': 'Consultor',
    'line.weight': 'Peso',
    'line.own': 'Peso próprio',
    'line.fallback': 'Reserva',
    'line.add': 'Adicionar consultor',
    'line.is-off': '{name} (em pausa)',
    'job.allocate-leads': 'Distribuir leads',
    'job.allocate-leads.help':
      'Entrega os leads em espera aos consultores pelas regras de distribuição e avisa os gestores do que espera demais ou encontra todos lotados.',
    'job.forget-allocation': 'Remover registros antigos de distribuição',
    'job.forget-allocation.help':
      'O histórico da distribuição fica guardado por 90 dias; dias mais antigos não podem mais ser refeitos.',
  },
})

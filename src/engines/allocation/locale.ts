import { defineLocale } from '#kit/model/language.ts'

export const locale = defineLocale({
  'zh-CN': {
    'why.NOT_HERE': '已离职或停用',
    'why.PAUSED': '暂停中',
    'why.HOLIDAY': '放假',
    'why.OFF_HOURS': '非工作时间',
    'why.DAY_FULL': '今日已满',
    'why.OPEN_FULL': '待联系已满',
    passed: '{name}：{why}',
    'passed-none': '按权重轮到',
    'job.allocate-leads': '分配线索',
    'job.allocate-leads.help': '按分配规则把等待中的线索分给顾问；等待过久或名额已满时提醒主管。',
    'job.forget-allocation': '清除旧的分配记录',
    'job.forget-allocation.help': '分配记录保留 90 天，之后不能再重放当天。',
  },
  'en-US': {
    'why.NOT_HERE': 'no longer here',
    'why.PAUSED': 'paused',
    'why.HOLIDAY': 'holiday',
    'why.OFF_HOURS': 'off hours',
    'why.DAY_FULL': 'daily limit reached',
    'why.OPEN_FULL': 'too many not contacted',
    passed: '{name}: {why}',
    'passed-none': 'by turn',
    'job.allocate-leads': 'Allocate leads',
    'job.allocate-leads.help':
      'Gives waiting leads to consultants by the allocation rules, and warns managers of what waits too long or finds everybody full.',
    'job.forget-allocation': 'Remove old allocation records',
    'job.forget-allocation.help': 'How leads were allocated is kept for 90 days; older days can no longer be replayed.',
  },
  'pt-BR': {
    'why.NOT_HERE': 'não trabalha mais aqui',
    'why.PAUSED': 'em pausa',
    'why.HOLIDAY': 'feriado',
    'why.OFF_HOURS': 'fora do horário',
    'why.DAY_FULL': 'limite diário atingido',
    'why.OPEN_FULL': 'muitos sem contato',
    passed: '{name}: {why}',
    'passed-none': 'pela vez',
    'job.allocate-leads': 'Distribuir leads',
    'job.allocate-leads.help':
      'Entrega os leads em espera aos consultores pelas regras de distribuição e avisa os gestores do que espera demais ou encontra todos lotados.',
    'job.forget-allocation': 'Remover registros antigos de distribuição',
    'job.forget-allocation.help':
      'O histórico da distribuição fica guardado por 90 dias; dias mais antigos não podem mais ser refeitos.',
  },
})

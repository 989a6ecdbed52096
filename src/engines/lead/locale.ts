import { defineLocale } from '#kit/model/language.ts'

export const locale = defineLocale({
  'zh-CN': {
    'job.forget-leads': '清除无效线索的号码',
    'job.forget-leads.help': '线索标记无效满 180 天后，清除其号码和称呼，只保留统计所需的记录。',
  },
  'en-US': {
    'job.forget-leads': 'Remove numbers of invalid leads',
    'job.forget-leads.help':
      'Once a lead has been invalid for 180 days, its number and name are removed; what statistics need stays.',
  },
  'pt-BR': {
    'job.forget-leads': 'Remover números de leads inválidos',
    'job.forget-leads.help':
      'Quando um lead está inválido há 180 dias, seu número e nome são removidos; fica o que as estatísticas precisam.',
  },
})

import { defineLocale } from '#kit/model/language.ts'

export const locale = defineLocale({
  'zh-CN': {
    'job.forget-leads': '清除无效线索的号码',
    'job.forget-leads.help': '线索标记无效满 180 天后，清除其号码和称呼，只保留统计所需的记录。',
    'job.forget-copies-of-leads': '清除已删除号码的副本',
    'job.forget-copies-of-leads.help': '对方要求删除后，事件、导入文件、导出文件和日志里残留的号码与称呼由此任务清除。',
  },
  'en-US': {
    'job.forget-leads': 'Remove numbers of invalid leads',
    'job.forget-leads.help':
      'Once a lead has been invalid for 180 days, its number and name are removed; what statistics need stays.',
    'job.forget-copies-of-leads': 'Remove copies of numbers that were deleted',
    'job.forget-copies-of-leads.help':
      'Once somebody has asked to be forgotten, clears number and name from events, imported and exported files, and the log.',
  },
  'pt-BR': {
    'job.forget-leads': 'Remover números de leads inválidos',
    'job.forget-leads.help':
      'Quando um lead está inválido há 180 dias, seu número e nome são removidos; fica o que as estatísticas precisam.',
    'job.forget-copies-of-leads': 'Remover cópias de números excluídos',
    'job.forget-copies-of-leads.help':
      'Depois que alguém pede para ser esquecido, limpa número e nome dos eventos, dos arquivos importados e exportados e do registro.',
  },
})

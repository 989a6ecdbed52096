import { defineLocale } from '#kit/model/language.ts'

/** Working on everything a filter matches; the words come with the bar. */
export const locale = defineLocale({
  'zh-CN': {
    'select-all': '选择符合条件的全部 {count} 条',
    'all-selected': '已选符合条件的全部 {count} 条',
    'too-many': '一次最多处理 {max} 条，请缩小筛选范围',
    matching: '符合条件的共 {count} 条',
    'matching-open': '符合条件的共 {count} 条，将处理 {open} 条',
    background: '确认后在后台执行，可随时停止；每一条的结果在“我的任务”中查看。之后新增的数据不在其内。',
    nothing: '没有符合条件的数据',
    begun: '正在后台处理 {count} 条：{what}',
    'my-tasks': '查看我的任务',
  },
  'en-US': {
    'select-all': 'Select all {count} that match',
    'all-selected': 'All {count} that match are selected',
    'too-many': 'At most {max} can be handled at once. Narrow the filter.',
    matching: '{count} {count:matches|match} the filter',
    'matching-open': '{open} of the {count} that match will be handled',
    background:
      'This runs in the background and can be stopped at any time. "My tasks" shows the result of each. Anything added from now on is not included.',
    nothing: 'Nothing matches the filter',
    begun: 'Working on {count} in the background: {what}',
    'my-tasks': 'My tasks',
  },
  'pt-BR': {
    'select-all': 'Selecionar todos os {count} resultados',
    'all-selected': 'Todos os {count} resultados selecionados',
    'too-many': 'São no máximo {max} por vez. Restrinja o filtro.',
    matching: '{count} {count:resultado|resultados}',
    'matching-open': '{open} de {count} resultados serão processados',
    background:
      'Roda em segundo plano e pode ser parado a qualquer momento. O resultado de cada um fica em "Minhas tarefas". O que for incluído a partir de agora não entra.',
    nothing: 'Nada corresponde ao filtro',
    begun: 'Processando {count} em segundo plano: {what}',
    'my-tasks': 'Minhas tarefas',
  },
})

import { defineLocale } from '#kit/model/language.ts'

/** Whom a record waits for and since when; the words come with the first state that waits. */
export const locale = defineLocale({
  'zh-CN': {
    waiting: '等待{who}',
    'waiting-you': '等待您处理',
    'brief-you': '待您',
    due: '快超时',
    overdue: '已超时',
    'due-at': '应在 {time} 前处理',
  },
  'en-US': {
    waiting: 'Waiting for {who}',
    'waiting-you': 'Waiting for you',
    'brief-you': 'you',
    due: 'due soon',
    overdue: 'overdue',
    'due-at': 'Due by {time}',
  },
  'pt-BR': {
    waiting: 'Aguarda {who}',
    'waiting-you': 'Aguarda você',
    'brief-you': 'você',
    due: 'no limite',
    overdue: 'atrasado',
    'due-at': 'Prazo: {time}',
  },
})

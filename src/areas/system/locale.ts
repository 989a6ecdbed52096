import { defineLocale } from '#kit/model/language.ts'

export const locale = defineLocale({
  'zh-CN': {
    title: '系统管理',
    'rule-own-draft': '不能发布自己保存的草稿，请另一位同事核对后发布',
  },
  'en-US': {
    title: 'System',
    'rule-own-draft': 'You saved this draft; a colleague has to read and publish it',
  },
  'pt-BR': {
    title: 'Sistema',
    'rule-own-draft': 'Você salvou este rascunho; um colega precisa conferir e publicar',
  },
})

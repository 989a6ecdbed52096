import { defineLocale } from '#kit/model/language.ts'

export const locale = defineLocale({
  'zh-CN': {
    title: '系统管理',
    'rule-own-draft': '不能发布自己保存的草稿，请另一位同事核对后发布',
    'rules-too-many': '已发布 {most} 个，再多就有规则读不到：请先删除不用的',
  },
  'en-US': {
    title: 'System',
    'rule-own-draft': 'You saved this draft; a colleague has to read and publish it',
    'rules-too-many': '{most} are published, and of more some would not be read: delete those nobody needs',
  },
  'pt-BR': {
    title: 'Sistema',
    'rule-own-draft': 'Você salvou este rascunho; um colega precisa conferir e publicar',
    'rules-too-many': 'Há {most} publicados, e de mais alguns não seriam lidos: exclua os que ninguém usa',
  },
})

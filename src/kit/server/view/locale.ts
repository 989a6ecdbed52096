import { defineLocale } from '#kit/model/language.ts'

/** Texts of the views people keep of a list. */
export const locale = defineLocale({
  'zh-CN': {
    'view-missing': '该视图不存在，或不是您的视图',
    'view-has-phone': '视图中不能包含手机号',
    'view-empty': '请先设置筛选、搜索或排序',
    'too-many-views': '每个页面最多保存 {max} 个视图，请先删除不用的',
    'may-not-share': '只有可以编辑此页面数据的人或有下属的人才能共享视图',
  },
  'en-US': {
    'view-missing': 'This view does not exist, or is not yours',
    'view-has-phone': 'A view cannot contain a phone number',
    'view-empty': 'Set a filter, a search or a sort order first',
    'too-many-views': 'At most {max} views per page. Delete one you do not use.',
    'may-not-share': 'Only people who can edit on this page, or who manage others, can share views',
  },
  'pt-BR': {
    'view-missing': 'Esta visão não existe ou não é sua',
    'view-has-phone': 'Uma visão não pode conter telefone',
    'view-empty': 'Defina antes um filtro, uma busca ou uma ordenação',
    'too-many-views': 'No máximo {max} visões por tela. Exclua uma que você não usa.',
    'may-not-share': 'Só quem pode editar nesta tela, ou gerencia outras pessoas, pode compartilhar visões',
  },
})

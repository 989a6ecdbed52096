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
    'view-has-phone': 'A view may not hold a phone number',
    'view-empty': 'Set a filter, a search or a sort first',
    'too-many-views': 'At most {max} views for each page. Delete one that is not used.',
    'may-not-share': 'Views are shared by those who may edit on this page, or who lead others',
  },
  'pt-BR': {
    'view-missing': 'Esta visão não existe ou não é sua',
    'view-has-phone': 'Uma visão não pode conter telefone',
    'view-empty': 'Defina antes um filtro, uma busca ou uma ordem',
    'too-many-views': 'No máximo {max} visões por tela. Exclua uma que não é usada.',
    'may-not-share': 'Compartilha visões quem pode editar nesta tela ou lidera outras pessoas',
  },
})

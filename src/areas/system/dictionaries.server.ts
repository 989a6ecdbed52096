import { defineDictionaries } from '#kit/server/choice/built-in-dictionary.ts'

export const dictionaries = defineDictionaries({
  PERMISSION_TYPE: {
    name: { 'zh-CN': '权限类型', 'en-US': 'Permission type', 'pt-BR': 'Tipo de permissão' },
    entries: {
      MENU: { colour: 'blue', 'zh-CN': '菜单', 'en-US': 'Menu', 'pt-BR': 'Menu' },
      PERMISSION: { colour: 'cyan', 'zh-CN': '操作', 'en-US': 'Action', 'pt-BR': 'Ação' },
    },
  },
  DATA_PERMISSION_TYPE: {
    name: { 'zh-CN': '数据范围', 'en-US': 'Data scope', 'pt-BR': 'Escopo de dados' },
    entries: {
      SELF: { 'zh-CN': '本人', 'en-US': 'Own records', 'pt-BR': 'Registros próprios' },
      SELF_AND_SUBORDINATES: {
        'zh-CN': '本人及下属',
        'en-US': 'Own and subordinates',
        'pt-BR': 'Próprios e da equipe',
      },
      DEPARTMENT: { 'zh-CN': '本部门', 'en-US': 'Own department', 'pt-BR': 'Próprio departamento' },
      DEPARTMENT_AND_BELOW: {
        'zh-CN': '本部门及下属部门',
        'en-US': 'Own department and below',
        'pt-BR': 'Próprio departamento e subordinados',
      },
      ALL: { 'zh-CN': '全部', 'en-US': 'Everything', 'pt-BR': 'Tudo' },
      CHOSEN: { 'zh-CN': '指定部门', 'en-US': 'Chosen departments', 'pt-BR': 'Departamentos escolhidos' },
    },
  },
})

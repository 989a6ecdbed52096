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
  MESSAGE_STATUS: {
    name: { 'zh-CN': '消息状态', 'en-US': 'Message status', 'pt-BR': 'Situação da mensagem' },
    entries: {
      SCHEDULE: { colour: 'purple', 'zh-CN': '定时发送', 'en-US': 'Scheduled', 'pt-BR': 'Agendada' },
      SENDING: { colour: 'blue', 'zh-CN': '发送中', 'en-US': 'Sending', 'pt-BR': 'Enviando' },
      EXCEPTION: { colour: 'red', 'zh-CN': '发送异常', 'en-US': 'Failed', 'pt-BR': 'Falhou' },
      DELIVERY: { colour: 'green', 'zh-CN': '已送达', 'en-US': 'Delivered', 'pt-BR': 'Entregue' },
      UNREAD: { colour: 'orange', 'zh-CN': '未读', 'en-US': 'Unread', 'pt-BR': 'Não lida' },
      READ: { colour: 'cyan', 'zh-CN': '已读', 'en-US': 'Read', 'pt-BR': 'Lida' },
    },
  },
  MESSAGE_CHANNEL: {
    name: { 'zh-CN': '消息通道', 'en-US': 'Message channel', 'pt-BR': 'Canal da mensagem' },
    entries: {
      WEBSOCKET: { colour: 'blue', 'zh-CN': '站内信', 'en-US': 'In-app message', 'pt-BR': 'Mensagem interna' },
      TEXT_MESSAGE: { colour: 'green', 'zh-CN': '短信', 'en-US': 'Text message', 'pt-BR': 'SMS' },
      EMAIL: { colour: 'orange', 'zh-CN': '邮件', 'en-US': 'E-mail', 'pt-BR': 'E-mail' },
    },
  },
})

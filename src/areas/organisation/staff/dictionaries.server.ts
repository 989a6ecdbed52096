import { defineDictionaries } from '#kit/server/choice/built-in-dictionary.ts'

/** The chat platform's own numbers. */
export const dictionaries = defineDictionaries({
  CONTACT_ADD_WAY: {
    name: {
      'zh-CN': '企微添加方式',
      'en-US': 'Ways to add a chat contact',
      'pt-BR': 'Formas de adicionar um contato de chat',
    },
    entries: {
      0: { 'zh-CN': '未知', 'en-US': 'Unknown', 'pt-BR': 'Desconhecido' },
      1: { 'zh-CN': '扫描二维码', 'en-US': 'QR code', 'pt-BR': 'QR code' },
      2: { 'zh-CN': '搜索手机号', 'en-US': 'Phone search', 'pt-BR': 'Busca por telefone' },
      3: { 'zh-CN': '名片分享', 'en-US': 'Shared card', 'pt-BR': 'Cartão compartilhado' },
      4: { 'zh-CN': '群聊', 'en-US': 'Group chat', 'pt-BR': 'Grupo' },
      5: { 'zh-CN': '手机通讯录', 'en-US': 'Phone book', 'pt-BR': 'Agenda do telefone' },
      6: { 'zh-CN': '微信联系人', 'en-US': 'WeChat contact', 'pt-BR': 'Contato do WeChat' },
      7: {
        'zh-CN': '微信好友申请（旧）',
        'en-US': 'WeChat friend request (old)',
        'pt-BR': 'Pedido de amizade do WeChat (antigo)',
      },
      8: { 'zh-CN': '第三方应用自动添加', 'en-US': 'Added by an app', 'pt-BR': 'Adicionado por aplicativo' },
      9: { 'zh-CN': '搜索邮箱', 'en-US': 'E-mail search', 'pt-BR': 'Busca por e-mail' },
      10: { 'zh-CN': '视频号添加', 'en-US': 'WeChat Channels', 'pt-BR': 'WeChat Channels' },
      11: { 'zh-CN': '日程参与人', 'en-US': 'Calendar', 'pt-BR': 'Agenda de compromissos' },
      12: { 'zh-CN': '会议参与人', 'en-US': 'Meeting', 'pt-BR': 'Reunião' },
      13: {
        'zh-CN': '微信好友对应的企业微信',
        'en-US': 'WeCom of a WeChat friend',
        'pt-BR': 'WeCom de um amigo do WeChat',
      },
      14: { 'zh-CN': '智慧硬件客服', 'en-US': 'Smart device support', 'pt-BR': 'Suporte de dispositivo' },
      15: { 'zh-CN': '上门服务客服', 'en-US': 'Home service', 'pt-BR': 'Atendimento em domicílio' },
      16: { 'zh-CN': '获客链接', 'en-US': 'Acquisition link', 'pt-BR': 'Link de captação' },
      17: { 'zh-CN': '定制开发', 'en-US': 'Custom development', 'pt-BR': 'Desenvolvimento sob medida' },
      18: { 'zh-CN': '需求回复', 'en-US': 'Reply to a request', 'pt-BR': 'Resposta a pedido' },
      21: { 'zh-CN': '第三方售前客服', 'en-US': 'Pre-sales of a provider', 'pt-BR': 'Pré-venda de fornecedor' },
      24: { 'zh-CN': '接受微信好友申请', 'en-US': 'Accepted WeChat request', 'pt-BR': 'Pedido do WeChat aceito' },
      201: { 'zh-CN': '内部成员共享', 'en-US': 'Shared by a colleague', 'pt-BR': 'Compartilhado por colega' },
      202: { 'zh-CN': '管理员分配', 'en-US': 'Handed out', 'pt-BR': 'Atribuído' },
    },
  },
})

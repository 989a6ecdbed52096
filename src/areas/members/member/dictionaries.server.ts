import { defineDictionaries } from '#kit/server/choice/built-in-dictionary.ts'

export const dictionaries = defineDictionaries({
  MEMBER_SOURCE: {
    name: { 'zh-CN': '学员来源', 'en-US': 'Member source', 'pt-BR': 'Origem do aluno' },
    entries: {
      DOUYIN: { colour: 'indigo', 'zh-CN': '抖音', 'en-US': 'Douyin', 'pt-BR': 'Douyin' },
      WECHAT_SHOP: { colour: 'cyan', 'zh-CN': '微信小店', 'en-US': 'WeChat shop', 'pt-BR': 'Loja no WeChat' },
      XIAOHONGSHU: { colour: 'magenta', 'zh-CN': '小红书', 'en-US': 'Xiaohongshu', 'pt-BR': 'Xiaohongshu' },
      SCHOOL: { colour: 'purple', 'zh-CN': '公益课学校', 'en-US': 'Partner school', 'pt-BR': 'Escola parceira' },
      REFERRAL: { colour: 'purple', 'zh-CN': '转介绍', 'en-US': 'Referral', 'pt-BR': 'Indicação' },
      OFFICIAL_ACCOUNT: { colour: 'cyan', 'zh-CN': '公众号', 'en-US': 'Official account', 'pt-BR': 'Conta oficial' },
      APP: { colour: 'blue', 'zh-CN': '自然注册', 'en-US': 'Signed up in the app', 'pt-BR': 'Cadastro no app' },
    },
  },
  MEMBER_LEVEL: {
    name: { 'zh-CN': '学员等级', 'en-US': 'Member level', 'pt-BR': 'Nível do aluno' },
    entries: {
      TRIAL: { colour: 'blue', 'zh-CN': '体验', 'en-US': 'Trial', 'pt-BR': 'Teste' },
      MEMBER: { colour: 'green', 'zh-CN': '会员', 'en-US': 'Member', 'pt-BR': 'Assinante' },
      EXPIRED: { colour: 'grey', 'zh-CN': '已到期', 'en-US': 'Expired', 'pt-BR': 'Vencido' },
    },
  },
  CHANNEL: {
    name: { 'zh-CN': '渠道', 'en-US': 'Channel', 'pt-BR': 'Canal' },
    entries: {
      DOUYIN_LIVE: { colour: 'indigo', 'zh-CN': '抖音直播', 'en-US': 'Douyin live', 'pt-BR': 'Live no Douyin' },
      DOUYIN_VIDEO: { colour: 'blue', 'zh-CN': '抖音短视频', 'en-US': 'Douyin video', 'pt-BR': 'Vídeo no Douyin' },
      WECHAT_SHOP: { colour: 'cyan', 'zh-CN': '微信小店', 'en-US': 'WeChat shop', 'pt-BR': 'Loja no WeChat' },
      XIAOHONGSHU_NOTE: {
        colour: 'magenta',
        'zh-CN': '小红书笔记',
        'en-US': 'Xiaohongshu post',
        'pt-BR': 'Post no Xiaohongshu',
      },
      XIAOHONGSHU_FORM: {
        colour: 'magenta',
        'zh-CN': '小红书表单',
        'en-US': 'Xiaohongshu form',
        'pt-BR': 'Formulário no Xiaohongshu',
      },
      XIAOHONGSHU_MESSAGE: {
        colour: 'magenta',
        'zh-CN': '小红书私信',
        'en-US': 'Xiaohongshu message',
        'pt-BR': 'Mensagem no Xiaohongshu',
      },
      SCHOOL: { colour: 'purple', 'zh-CN': '公益课学校', 'en-US': 'Partner school', 'pt-BR': 'Escola parceira' },
      REFERRAL: { colour: 'purple', 'zh-CN': '老学员推荐', 'en-US': 'Member referral', 'pt-BR': 'Indicação de aluno' },
      STORE: { colour: 'cyan', 'zh-CN': '应用商店', 'en-US': 'App store', 'pt-BR': 'Loja de apps' },
      OTHER: { colour: 'grey', 'zh-CN': '其他', 'en-US': 'Other', 'pt-BR': 'Outro' },
    },
  },
  MEMBER_TAG: {
    name: { 'zh-CN': '学员标签', 'en-US': 'Member tag', 'pt-BR': 'Etiqueta do aluno' },
    entries: {
      HIGH_INTENT: { colour: 'red', 'zh-CN': '高意向', 'en-US': 'Hot lead', 'pt-BR': 'Muito interessado' },
      RENEWAL: { colour: 'orange', 'zh-CN': '续费重点', 'en-US': 'Renewal focus', 'pt-BR': 'Foco em renovação' },
      DILIGENT: { colour: 'green', 'zh-CN': '坚持打卡', 'en-US': 'Checks in daily', 'pt-BR': 'Presença diária' },
      QUIET: { colour: 'grey', 'zh-CN': '久未学习', 'en-US': 'Inactive', 'pt-BR': 'Inativo' },
      REFERRER: { colour: 'purple', 'zh-CN': '乐于转介绍', 'en-US': 'Refers friends', 'pt-BR': 'Indica amigos' },
      SIBLING: { colour: 'cyan', 'zh-CN': '二胎家庭', 'en-US': 'Has a sibling', 'pt-BR': 'Tem irmãos' },
      CAREFUL: { colour: 'gold', 'zh-CN': '需要安抚', 'en-US': 'Handle with care', 'pt-BR': 'Requer atenção' },
    },
  },
  CONSENT_WAY: {
    name: { 'zh-CN': '授权方式', 'en-US': 'How consent was given', 'pt-BR': 'Forma do consentimento' },
    entries: {
      APP: { colour: 'blue', 'zh-CN': 'App 内确认', 'en-US': 'In the app', 'pt-BR': 'No app' },
      PAPER: { colour: 'gold', 'zh-CN': '纸质授权书', 'en-US': 'On paper', 'pt-BR': 'Termo assinado' },
      PHONE: { colour: 'cyan', 'zh-CN': '电话录音', 'en-US': 'Recorded call', 'pt-BR': 'Ligação gravada' },
      CHAT: { colour: 'green', 'zh-CN': '企业微信', 'en-US': 'WeCom', 'pt-BR': 'WeCom' },
      REPLY: { colour: 'red', 'zh-CN': '短信回复', 'en-US': 'Text message reply', 'pt-BR': 'Resposta por SMS' },
      AGE: { colour: 'grey', 'zh-CN': '出生年月更正', 'en-US': 'Corrected age', 'pt-BR': 'Idade corrigida' },
    },
  },
  FOLLOW_UP_KIND: {
    name: { 'zh-CN': '跟进方式', 'en-US': 'Contact method', 'pt-BR': 'Forma de contato' },
    entries: {
      PHONE: { colour: 'blue', 'zh-CN': '电话', 'en-US': 'Phone call', 'pt-BR': 'Telefone' },
      CHAT: { colour: 'green', 'zh-CN': '企业微信', 'en-US': 'WeCom', 'pt-BR': 'WeCom' },
      SMS: { colour: 'cyan', 'zh-CN': '短信', 'en-US': 'Text message', 'pt-BR': 'SMS' },
      VISIT: { colour: 'purple', 'zh-CN': '上门或到店', 'en-US': 'Visit', 'pt-BR': 'Visita' },
      OTHER: { colour: 'grey', 'zh-CN': '其他', 'en-US': 'Other', 'pt-BR': 'Outra' },
    },
  },
})

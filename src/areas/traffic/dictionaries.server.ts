import { defineDictionaries } from '#kit/server/choice/built-in-dictionary.ts'

export const dictionaries = defineDictionaries({
  XHS_ACCOUNT: {
    name: { 'zh-CN': '小红书账号', 'en-US': 'Xiaohongshu account', 'pt-BR': 'Conta no Xiaohongshu' },
    entries: {
      OFFICIAL: { colour: 'magenta', 'zh-CN': '官方号', 'en-US': 'Official', 'pt-BR': 'Oficial' },
      TEACHER: { colour: 'blue', 'zh-CN': '老师号', 'en-US': 'Teacher', 'pt-BR': 'Professor' },
      PARENT: { colour: 'purple', 'zh-CN': '家长号', 'en-US': 'Parent', 'pt-BR': 'Família' },
      WORKS: { colour: 'cyan', 'zh-CN': '作品展示号', 'en-US': 'Showcase', 'pt-BR': 'Vitrine' },
    },
  },
  CHANNEL_GROUP: {
    name: { 'zh-CN': '渠道分组', 'en-US': 'Channel group', 'pt-BR': 'Grupo de canais' },
    entries: {
      LIVE: { colour: 'indigo', 'zh-CN': '直播', 'en-US': 'Live streams', 'pt-BR': 'Lives' },
      CONTENT: { colour: 'magenta', 'zh-CN': '内容', 'en-US': 'Content', 'pt-BR': 'Conteúdo' },
      PAID: { colour: 'indigo', 'zh-CN': '付费投放', 'en-US': 'Paid ads', 'pt-BR': 'Anúncios pagos' },
      SHOP: { colour: 'cyan', 'zh-CN': '平台店铺', 'en-US': 'Platform shops', 'pt-BR': 'Lojas em plataformas' },
      ACCOUNT: { colour: 'cyan', 'zh-CN': '公众号', 'en-US': 'Official account', 'pt-BR': 'Conta oficial' },
      SCHOOL: { colour: 'purple', 'zh-CN': '学校合作', 'en-US': 'Schools', 'pt-BR': 'Escolas' },
      REFERRAL: { colour: 'purple', 'zh-CN': '转介绍', 'en-US': 'Referrals', 'pt-BR': 'Indicações' },
      NATURAL: { colour: 'blue', 'zh-CN': '自然流量', 'en-US': 'Organic', 'pt-BR': 'Orgânico' },
      OTHER: { colour: 'grey', 'zh-CN': '其他', 'en-US': 'Other', 'pt-BR': 'Outros' },
    },
  },
})

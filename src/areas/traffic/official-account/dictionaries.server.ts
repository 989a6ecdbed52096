import { defineDictionaries } from '#kit/server/choice/built-in-dictionary.ts'

/** As the platform names how somebody came to follow an account. */
export const dictionaries = defineDictionaries({
  FOLLOWED_BY: {
    name: { 'zh-CN': '公众号关注方式', 'en-US': 'Ways of following an account', 'pt-BR': 'Como se segue uma conta' },
    entries: {
      ADD_SCENE_QR_CODE: { colour: 'blue', 'zh-CN': '扫二维码', 'en-US': 'QR code', 'pt-BR': 'QR code' },
      ADD_SCENE_SEARCH: { colour: 'green', 'zh-CN': '搜索', 'en-US': 'Search', 'pt-BR': 'Busca' },
      ADD_SCENE_PROFILE_CARD: {
        colour: 'purple',
        'zh-CN': '名片分享',
        'en-US': 'Shared card',
        'pt-BR': 'Cartão compartilhado',
      },
      ADD_SCENE_PROFILE_LINK: {
        colour: 'indigo',
        'zh-CN': '图文页名称',
        'en-US': 'Name in an article',
        'pt-BR': 'Nome em um artigo',
      },
      ADD_SCENE_PROFILE_ITEM: {
        colour: 'indigo',
        'zh-CN': '图文页菜单',
        'en-US': 'Menu of an article',
        'pt-BR': 'Menu de um artigo',
      },
      ADD_SCENE_PAID: { colour: 'gold', 'zh-CN': '支付后关注', 'en-US': 'After paying', 'pt-BR': 'Após pagar' },
      ADD_SCENE_WECHAT_ADVERTISEMENT: {
        colour: 'orange',
        'zh-CN': '微信广告',
        'en-US': 'WeChat ad',
        'pt-BR': 'Anúncio no WeChat',
      },
      ADD_SCENE_ACCOUNT_MIGRATION: {
        colour: 'grey',
        'zh-CN': '账号迁移',
        'en-US': 'Account migration',
        'pt-BR': 'Migração de conta',
      },
      ADD_SCENE_OTHERS: { colour: 'grey', 'zh-CN': '其他', 'en-US': 'Other', 'pt-BR': 'Outro' },
    },
  },
})

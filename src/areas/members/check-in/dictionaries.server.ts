import { defineDictionaries } from '#kit/server/choice/built-in-dictionary.ts'

export const dictionaries = defineDictionaries({
  CHECK_IN_PLAN: {
    name: { 'zh-CN': '打卡计划', 'en-US': 'Check-in plan', 'pt-BR': 'Plano de prática' },
    entries: {
      DAILY: { colour: 'green', 'zh-CN': '每日练字', 'en-US': 'Daily practice', 'pt-BR': 'Prática diária' },
      MORNING: { colour: 'gold', 'zh-CN': '晨读晨写', 'en-US': 'Morning writing', 'pt-BR': 'Escrita matinal' },
      HOLIDAY: { colour: 'cyan', 'zh-CN': '假期 21 天', 'en-US': '21-day holiday', 'pt-BR': 'Férias de 21 dias' },
      POEM: { colour: 'purple', 'zh-CN': '每周一诗', 'en-US': 'Poem of the week', 'pt-BR': 'Poema da semana' },
    },
  },
})

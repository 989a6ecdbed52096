import { defineDictionaries } from '#kit/server/choice/built-in-dictionary.ts'

export const dictionaries = defineDictionaries({
  WORK_FAULT: {
    name: { 'zh-CN': '作品问题', 'en-US': 'What to mend in a work', 'pt-BR': 'O que corrigir num trabalho' },
    entries: {
      STROKE: { colour: 'indigo', 'zh-CN': '笔画形态', 'en-US': 'Shape of a stroke', 'pt-BR': 'Forma do traço' },
      START_END: {
        colour: 'magenta',
        'zh-CN': '起笔收笔',
        'en-US': 'Start or end of a stroke',
        'pt-BR': 'Início ou fim do traço',
      },
      STRUCTURE: { colour: 'orange', 'zh-CN': '间架结构', 'en-US': 'Structure', 'pt-BR': 'Estrutura' },
      CENTRE: { colour: 'gold', 'zh-CN': '重心不稳', 'en-US': 'Off balance', 'pt-BR': 'Sem equilíbrio' },
      SIZE: {
        colour: 'cyan',
        'zh-CN': '大小不当',
        'en-US': 'Too large or too small',
        'pt-BR': 'Grande ou pequeno demais',
      },
      TILT: { colour: 'green', 'zh-CN': '字形歪斜', 'en-US': 'Tilted', 'pt-BR': 'Inclinado' },
      WRONG: {
        colour: 'red',
        'zh-CN': '错字漏笔',
        'en-US': 'Wrong character or missing stroke',
        'pt-BR': 'Caractere errado ou traço em falta',
      },
      GOOD: { colour: 'blue', 'zh-CN': '写得好', 'en-US': 'Well written', 'pt-BR': 'Bem escrito' },
      POSTURE: { colour: 'purple', 'zh-CN': '坐姿握姿', 'en-US': 'Posture or grip', 'pt-BR': 'Postura ou pega' },
    },
  },
  WORK_PHRASE: {
    name: { 'zh-CN': '点评用语', 'en-US': 'Phrases for comments', 'pt-BR': 'Frases para comentários' },
    entries: {
      STEADY: {
        'zh-CN': '横平竖直，笔画扎实，继续保持！',
        'en-US': 'Level and upright, with firm strokes: keep it up!',
        'pt-BR': 'Horizontais e verticais firmes: continue assim!',
      },
      NEAT: {
        'zh-CN': '卷面整洁，看得出写得很认真。',
        'en-US': 'A tidy page: you have taken care.',
        'pt-BR': 'Página limpa: nota-se o cuidado.',
      },
      BETTER: {
        'zh-CN': '比上一次进步明显，老师为你高兴！',
        'en-US': 'Clearly better than last time, I am glad!',
        'pt-BR': 'Bem melhor que da última vez, parabéns!',
      },
      CENTRE_UP: {
        'zh-CN': '注意把字写在格子中间，重心放稳。',
        'en-US': 'Put the character in the middle of its cell, well balanced.',
        'pt-BR': 'Escreva no centro do quadrado, com equilíbrio.',
      },
      SMALLER: {
        'zh-CN': '字略大，四周要留出空白。',
        'en-US': 'A little too large: leave room on all sides.',
        'pt-BR': 'Um pouco grande: deixe espaço à volta.',
      },
      BOLDER: {
        'zh-CN': '字偏小，大胆写舒展一些。',
        'en-US': 'A little too small: write it larger and freer.',
        'pt-BR': 'Um pouco pequeno: escreva maior e mais solto.',
      },
      SLOWER: {
        'zh-CN': '收笔太快，每一笔写到位再提笔。',
        'en-US': 'Finish each stroke before you lift the pen.',
        'pt-BR': 'Termine cada traço antes de levantar a caneta.',
      },
      AGAIN: {
        'zh-CN': '圈出的字请对照范字再写三遍。',
        'en-US': 'Please write the marked characters three more times after the model.',
        'pt-BR': 'Escreva de novo três vezes os caracteres marcados, pelo modelo.',
      },
      SIT_UP: {
        'zh-CN': '坐直，眼睛离纸一尺，胸口离桌一拳。',
        'en-US': 'Sit up: eyes a foot from the page, a fist between chest and desk.',
        'pt-BR': 'Coluna reta: olhos a um palmo e meio da folha.',
      },
    },
  },
})

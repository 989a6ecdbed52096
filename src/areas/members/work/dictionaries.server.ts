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
      // What the scorer finds and teachers mark is spoken of by those whose code begins with it (engines/phrase).
      GOOD_1: {
        'zh-CN': '这一页写得很用心，有几个字特别漂亮！',
        'en-US': 'You put care into this page, and some characters are lovely!',
        'pt-BR': 'Você caprichou nesta página, e alguns caracteres estão lindos!',
      },
      GOOD_2: {
        'zh-CN': '整体匀称、大方，老师看到了你的努力。',
        'en-US': 'Even and generous as a whole: I can see your effort.',
        'pt-BR': 'Uniforme e amplo no conjunto: vê-se o seu esforço.',
      },
      GOOD_3: {
        'zh-CN': '行笔稳，字距均匀，值得表扬！',
        'en-US': 'A steady hand and even spacing: well done!',
        'pt-BR': 'Mão firme e espaços iguais: parabéns!',
      },
      STROKE_1: {
        'zh-CN': '笔画要有轻重变化，横要平、竖要直。',
        'en-US': 'Let the strokes swell and thin: level across, straight down.',
        'pt-BR': 'Varie a pressão: horizontais niveladas, verticais retas.',
      },
      STROKE_2: {
        'zh-CN': '撇捺再舒展一些，不要缩手。',
        'en-US': 'Let the slanting strokes reach out; do not hold back.',
        'pt-BR': 'Solte mais os traços inclinados, sem encolher a mão.',
      },
      START_END_1: {
        'zh-CN': '起笔顿一顿，收笔再提起。',
        'en-US': 'Rest a moment at the start, and lift only at the end.',
        'pt-BR': 'Pare um instante no início e só levante no fim.',
      },
      START_END_2: {
        'zh-CN': '收笔要干净，别拖出小尾巴。',
        'en-US': 'End each stroke cleanly, without a little tail.',
        'pt-BR': 'Termine cada traço com clareza, sem deixar rabinho.',
      },
      STRUCTURE_1: {
        'zh-CN': '先看范字的间架，再下笔。',
        'en-US': 'Look at how the model is built before you write.',
        'pt-BR': 'Observe a construção do modelo antes de escrever.',
      },
      STRUCTURE_2: {
        'zh-CN': '左右要靠紧，上下要对齐。',
        'en-US': 'Keep the parts close side by side, and aligned one above the other.',
        'pt-BR': 'Aproxime as partes lado a lado e alinhe as de cima com as de baixo.',
      },
      STRUCTURE_NARROW_1: {
        'zh-CN': '字写窄了，横画舒展一些，左右撑开。',
        'en-US': 'Too narrow: let the level strokes reach further to both sides.',
        'pt-BR': 'Estreito demais: estique os traços horizontais para os lados.',
      },
      STRUCTURE_WIDE_1: {
        'zh-CN': '字写扁了，上下舒展一些，竖画写足。',
        'en-US': 'Too flat: give it height, and let the upright strokes go all the way.',
        'pt-BR': 'Achatado demais: dê altura e leve os traços verticais até o fim.',
      },
      STRUCTURE_CROWDED_1: {
        'zh-CN': '笔画挤在一起或重复描过，一笔写成，笔画之间留出空。',
        'en-US': 'Strokes crowd or were written over: write each once, with room between them.',
        'pt-BR': 'Traços apertados ou repassados: escreva cada um uma vez, com espaço entre eles.',
      },
      CENTRE_1: {
        'zh-CN': '有的字偏了，落笔前先找格子的中心。',
        'en-US': 'Some characters are off: find the middle of the cell first.',
        'pt-BR': 'Alguns caracteres estão deslocados: ache antes o centro do quadro.',
      },
      CENTRE_2: {
        'zh-CN': '对准格子的竖中线写，字就站稳了。',
        'en-US': 'Write along the middle line of the cell, and the character stands.',
        'pt-BR': 'Escreva sobre a linha do meio, e o caractere fica em pé.',
      },
      SIZE_BIG_1: {
        'zh-CN': '有的字撑满了格子，写小一点，四周留白。',
        'en-US': 'Some characters fill their cell: write smaller and leave room around.',
        'pt-BR': 'Alguns caracteres enchem o quadro: escreva menor e deixe espaço.',
      },
      SIZE_BIG_2: {
        'zh-CN': '字比范字大了，收一收笔画更好看。',
        'en-US': 'Larger than the model: draw the strokes in a little.',
        'pt-BR': 'Maior que o modelo: recolha um pouco os traços.',
      },
      SIZE_SMALL_1: {
        'zh-CN': '有的字太小，笔画放长，占格子的八成。',
        'en-US': 'Some are too small: longer strokes, four fifths of the cell.',
        'pt-BR': 'Alguns estão pequenos: traços mais longos, quatro quintos do quadro.',
      },
      SIZE_SMALL_2: {
        'zh-CN': '字写得拘谨了，大胆一点，和范字一样大。',
        'en-US': 'A little timid: be bold, as large as the model.',
        'pt-BR': 'Um pouco tímido: ouse mais, do tamanho do modelo.',
      },
      TILT_1: {
        'zh-CN': '字有点歪，竖画对准中线再写。',
        'en-US': 'A little tilted: set the upright strokes on the middle line.',
        'pt-BR': 'Um pouco inclinado: ponha as verticais na linha do meio.',
      },
      TILT_2: {
        'zh-CN': '本子放正、坐正，字就不歪了。',
        'en-US': 'Lay the paper straight and sit straight, and the characters will be too.',
        'pt-BR': 'Folha reta e corpo reto, e os caracteres também ficam.',
      },
      WRONG_1: {
        'zh-CN': '圈出的字写成了别的字，对照范字再写三遍。',
        'en-US': 'The marked one became another character: write it three times after the model.',
        'pt-BR': 'O marcado virou outro caractere: escreva-o três vezes pelo modelo.',
      },
      WRONG_2: {
        'zh-CN': '有的字和范字不一样，写之前先读一读、数一数笔画。',
        'en-US': 'Some differ from the model: read it and count its strokes before writing.',
        'pt-BR': 'Alguns diferem do modelo: leia e conte os traços antes.',
      },
      WRONG_STROKE_1: {
        'zh-CN': '圈出的字少了一笔，数一数笔画再写。',
        'en-US': 'The marked character lacks a stroke: count them, then write it again.',
        'pt-BR': 'Falta um traço no marcado: conte-os e escreva de novo.',
      },
      WRONG_STROKE_2: {
        'zh-CN': '漏了一笔，按笔顺慢慢写就不会漏。',
        'en-US': 'A stroke is missing: slowly, in their order, none gets lost.',
        'pt-BR': 'Faltou um traço: devagar e na ordem, nenhum se perde.',
      },
      POSTURE_1: {
        'zh-CN': '握笔离笔尖一寸，手指放松。',
        'en-US': 'Hold the pen an inch from its tip, with relaxed fingers.',
        'pt-BR': 'Segure a caneta a dois dedos da ponta, sem apertar.',
      },
      POSTURE_2: {
        'zh-CN': '肩放平，脚踩地，写起来更轻松。',
        'en-US': 'Shoulders level, feet on the floor: writing gets easier.',
        'pt-BR': 'Ombros nivelados, pés no chão: fica mais fácil escrever.',
      },
    },
  },
})

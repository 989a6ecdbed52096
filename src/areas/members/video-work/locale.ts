import { FIELD_TEXTS } from '#areas/members/work/field-texts.model.ts'
import { STEP_TEXTS } from '#areas/members/work/step-texts.model.ts'
import { defineLocale } from '#kit/model/language.ts'

export const locale = defineLocale({
  'zh-CN': {
    ...FIELD_TEXTS['zh-CN'],
    ...STEP_TEXTS['zh-CN'],
    title: '视频作品',
    record: '视频作品',
    'field.picture': '封面',
    'field.durationSeconds': '时长',
    'todo.take': '视频待点评',
    'todo.passReview': '视频点评待复核',
    'ask.markExcellent': '列入优秀作品，可以公开展示；监护人撤回展示或视频的同意后自动取消。',
    'not-to-be-shown': '监护人没有同意展示作品和学员视频',
    'tab.member': '视频作品',
    empty: '学员提交的视频会出现在这里。点“开始点评”逐份领取。',
  },
  'en-US': {
    ...FIELD_TEXTS['en-US'],
    ...STEP_TEXTS['en-US'],
    title: 'Video works',
    record: 'video work',
    'field.picture': 'Cover',
    'field.durationSeconds': 'Length',
    'todo.take': 'Videos to comment on',
    'todo.passReview': 'Video comments to review',
    'ask.markExcellent':
      'Listed among the excellent works, which may be shown; a guardian who withdraws consent to showing works or to videos ends that.',
    'not-to-be-shown': 'the guardian has not agreed to showing works and to videos of this member',
    'tab.member': 'Video works',
    empty: 'Videos members submit appear here. “Start commenting” gives you one after the other.',
  },
  'pt-BR': {
    ...FIELD_TEXTS['pt-BR'],
    ...STEP_TEXTS['pt-BR'],
    title: 'Trabalhos em vídeo',
    record: 'trabalho em vídeo',
    'field.picture': 'Capa',
    'field.durationSeconds': 'Duração',
    'todo.take': 'Vídeos a comentar',
    'todo.passReview': 'Comentários de vídeos a revisar',
    'ask.markExcellent':
      'Entra na lista de trabalhos excelentes, que podem ser exibidos; se o responsável retirar o consentimento à exibição ou a vídeos, sai.',
    'not-to-be-shown': 'o responsável não consentiu na exibição dos trabalhos e em vídeos deste aluno',
    'tab.member': 'Trabalhos em vídeo',
    empty: 'Os vídeos enviados aparecem aqui. “Começar” entrega um após o outro.',
  },
})

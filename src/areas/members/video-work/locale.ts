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
    'ask.markExcellent': '列入优秀作品，可以公开展示；展示或视频的同意被撤回后自动取消。',
    'lacks.DISPLAY':
      '还没有展示作品的同意：未满 14 周岁须监护人同意，已满的本人同意也可以；请取得同意后在学员的“授权”中登记',
    'lacks.VIDEO':
      '还没有使用学员视频的同意：未满 14 周岁须监护人同意，已满的本人同意也可以；请取得同意后在学员的“授权”中登记',
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
      'Listed among the excellent works, which may be shown; withdrawn consent to showing works or to videos ends that.',
    'lacks.DISPLAY':
      'nobody has agreed to show this member’s works: under 14 the guardian must, from 14 on the member may too; ask, then record it under the member’s “Consent”',
    'lacks.VIDEO':
      'nobody has agreed to videos of this member: under 14 the guardian must, from 14 on the member may too; ask, then record it under the member’s “Consent”',
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
      'Entra na lista de trabalhos excelentes, que podem ser exibidos; se o consentimento à exibição ou a vídeos for retirado, sai.',
    'lacks.DISPLAY':
      'ninguém consentiu na exibição dos trabalhos deste aluno: até 14 anos é preciso o responsável; a partir dos 14, o aluno também pode; peça e registre em “Consentimento” do aluno',
    'lacks.VIDEO':
      'ninguém consentiu em vídeos deste aluno: até 14 anos é preciso o responsável; a partir dos 14, o aluno também pode; peça e registre em “Consentimento” do aluno',
    'tab.member': 'Trabalhos em vídeo',
    empty: 'Os vídeos enviados aparecem aqui. “Começar” entrega um após o outro.',
  },
})

import { defineLocale } from '#kit/model/language.ts'

export const locale = defineLocale({
  'zh-CN': {
    'digest-wrong': '收到的文件与 x-inkstone-digest 不一致，请重新发送',
    'signature-wrong': '签名不正确',
    'timestamp-wrong': '时间戳与服务器时间相差超过 5 分钟，请校准时钟后重新签名',
    'event-id-reused': '事件编号 {id} 已用于另一内容，请为每个事件使用新的编号',
    'event-unknown': '此来源不能发送类型为 {type} 的事件',
  },
  'en-US': {
    'digest-wrong': 'The file that came is not the one of x-inkstone-digest; send it again',
    'signature-wrong': 'The signature is wrong',
    'timestamp-wrong': 'The timestamp is more than 5 minutes off; set the clock and sign again',
    'event-id-reused': 'The event id {id} was already used for other content. Give each event its own id.',
    'event-unknown': 'This source cannot send events of type {type}',
  },
  'pt-BR': {
    'digest-wrong': 'O arquivo recebido não é o de x-inkstone-digest; envie-o de novo',
    'signature-wrong': 'A assinatura está incorreta',
    'timestamp-wrong': 'O carimbo de tempo difere em mais de 5 minutos; acerte o relógio e assine de novo',
    'event-id-reused': 'O id de evento {id} já foi usado para outro conteúdo. Use um id próprio para cada evento.',
    'event-unknown': 'Esta origem não pode enviar eventos do tipo {type}',
  },
})

import { defineMessage } from '#engines/message/model.ts'

/** What somebody is told who began to register and did not come to the end. */
export const registrationReminder = defineMessage({
  code: 'REGISTRATION-UNFINISHED',
  channel: 'SMS',
  kind: 'NOTICE',
  title: '注册提醒',
  body: '您在砚台书写的注册还没有完成，打开 App 继续即可领取体验课。如非本人操作，请忽略本短信。',
  holes: {},
})

import { defineSettings, onOff } from '#kit/model/setting.ts'

/**
 * The platform shows the form of its pushes to its partners alone: nothing is heard there until somebody has compared what comes with
 * what is read, and a second person agrees, for what is heard is taken as paid.
 */
export const settings = defineSettings({
  group: 'xhsOrder',
  keys: { push: onOff({ default: 'off', money: true }) },
})

import { formatInstant } from '#kit/model/time.ts'
import { post } from '../../call.ts'
import { useTexts } from '../../language.ts'
import { useNotices } from '../../notice.tsx'
import { useUser } from '../../user.ts'
import type { locale } from '../locale.ts'
import { lookAfresh } from './look-afresh.ts'

/** Says as whom the console is looked at, for as long as it is, and ends it. */
export function PreviewBar() {
  const say = useTexts<typeof locale>('kit/page/shell')
  const notices = useNotices()
  const preview = useUser(user => user.info?.preview)
  if (!preview) return null
  const end = async () => {
    try {
      await post('/auth/preview/end')
      lookAfresh()
    } catch (error) {
      notices.failed(error, say('preview-end'))
    }
  }
  const time = formatInstant(new Date(preview.until)).slice(11, 16)
  return (
    <div className="ink-offline ink-preview" role="status">
      <span>{say('preview-bar', { role: preview.name, time })}</span>
      <button type="button" onClick={end}>
        {say('preview-end')}
      </button>
    </div>
  )
}

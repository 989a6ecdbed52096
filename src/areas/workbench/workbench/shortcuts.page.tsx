import { Button, Checkbox, Popover } from 'antd'
import type { Screen } from '#kit/model/area.ts'
import { useTexts } from '#kit/page/language.ts'
import { menuOf, useTitles } from '#kit/page/menu.ts'
import { useNotices } from '#kit/page/notice.tsx'
import { changePreference, usePreference } from '#kit/page/preference.ts'
import { loadPage } from '#kit/page/screens.ts'
import { addressOf } from '#kit/page/shell/tabs/tabs.ts'
import { useTab } from '#kit/page/tab.ts'
import { type UserState, useUser } from '#kit/page/user.ts'
import type { locale } from './locale.ts'
import { NAME, Part } from './part.page.tsx'

/** Pages a person keeps at hand, on every machine. */
export function Shortcuts() {
  const say = useTexts<typeof locale>(NAME)
  const menu = useTitles()
  const tab = useTab()
  const notices = useNotices()
  const user = useUser()
  const screens = menuOf(user)
    .flatMap(group => group.screens)
    .filter(screen => screen.name !== NAME)
  const pinned = usePreference('shortcuts', kept =>
    Array.isArray(kept) ? kept.map(String) : mostUsed(screens, user).map(({ name }) => name),
  )
  const choose = (names: readonly string[]) =>
    changePreference('shortcuts', names).catch(error => notices.failed(error, say('load-failed')))
  const choice = (
    <Checkbox.Group
      className="bench-choice"
      value={pinned}
      options={screens.map(screen => ({ value: screen.name, label: menu(screen.name) }))}
      onChange={names => void choose(names)}
    />
  )
  const shown = screens.filter(screen => pinned.includes(screen.name))
  return (
    <Part
      title={say('shortcuts')}
      tool={
        screens.length > 0 && (
          <Popover trigger="click" placement="bottomRight" content={choice}>
            <Button size="small">{say('shortcuts-choose')}</Button>
          </Popover>
        )
      }
    >
      {shown.length === 0 && <p className="bench-quiet">{say('shortcuts-empty')}</p>}
      <div className="bench-shortcuts">
        {shown.map(screen => (
          <Button
            key={screen.name}
            onMouseEnter={() => void loadPage(screen).catch(() => {})}
            onClick={() => tab.open(addressOf(screen.route))}
          >
            {menu(screen.name)}
          </Button>
        ))}
      </div>
    </Part>
  )
}

const OFFERED = 6

/** Until somebody chooses: the pages on which this person may do most, in the order of the menu. */
function mostUsed(screens: readonly Screen[], { permissions }: UserState): readonly Screen[] {
  const held = ({ key }: Screen) => permissions.get(key ?? '')?.actions.length ?? 0
  const most = new Set(screens.toSorted((one, other) => held(other) - held(one)).slice(0, OFFERED))
  return screens.filter(screen => most.has(screen))
}

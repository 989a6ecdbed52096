import { Typography } from 'antd'
import { MISSING } from '#kit/page/field/show.tsx'
import { useTexts } from '#kit/page/language.ts'
import type { locale } from './locale.ts'
import { type MenuLine, treeOf } from './menu.model.ts'
import './menu.css'
import { resource } from './model.ts'

/** A menu as it stands below the chat: its entries side by side, what each opens above it. */
export function Menu({ lines }: { lines: readonly MenuLine[] }) {
  if (lines.length === 0) return MISSING
  return (
    <ul className="account-menu">
      {treeOf(lines).map(({ line, subs }, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: entries have no name of their own, two may be called the same
        <li key={at}>
          {subs.length > 0 && (
            <ul>
              {subs.map((sub, nth) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: as above
                <li key={nth}>
                  <Entry line={sub} />
                </li>
              ))}
            </ul>
          )}
          <Entry line={line} />
        </li>
      ))}
    </ul>
  )
}

function Entry({ line: { name, action, value } }: { line: MenuLine }) {
  const say = useTexts<typeof locale>(resource.screen.name)
  const told = action === 'OPEN' ? undefined : `${say(`action.${action}`)} ${value}`
  return (
    <div className="account-menu-entry" title={told}>
      <span>{name || MISSING}</span>
      {told !== undefined && (
        <Typography.Text type="secondary" ellipsis>
          {value}
        </Typography.Text>
      )}
    </div>
  )
}

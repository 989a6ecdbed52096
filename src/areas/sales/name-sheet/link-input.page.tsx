import { AutoComplete, Flex, Typography } from 'antd'
import type { UsualLink } from './use-usual-link.page.tsx'

type Props = {
  readonly offered: UsualLink['offered']
  readonly id?: string
  readonly value?: string
  readonly onChange?: (link: string) => void
}

/** A link to type, or one of the consultant's own chat accounts. */
export function LinkInput({ offered, ...given }: Props) {
  return (
    <AutoComplete
      {...given}
      maxLength={200}
      options={offered.map(({ name, link }) => ({
        value: link,
        label: (
          <Flex vertical>
            {name}
            <Typography.Text type="secondary" ellipsis>
              {link}
            </Typography.Text>
          </Flex>
        ),
      }))}
    />
  )
}

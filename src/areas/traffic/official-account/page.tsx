import { later } from '#kit/page/later.tsx'
import { ListPage } from '#kit/page/list/list-page.tsx'
import { type OfficialAccount, resource, workflow } from './model.ts'

const RepliesInput = later(async () => (await import('./replies-input.page.tsx')).RepliesInput)
const MenuInput = later(async () => (await import('./menu-input.page.tsx')).MenuInput)
const Replies = later(async () => (await import('./replies.page.tsx')).Replies)
const Menu = later(async () => (await import('./menu.page.tsx')).Menu)
const Subscribers = later(async () => (await import('./subscribers.page.tsx')).Subscribers)
const Answers = later(async () => (await import('./answers.page.tsx')).Answers)
const TryReply = later(async () => (await import('./try-reply.page.tsx')).TryReply)

export function Page() {
  return (
    <ListPage
      resource={resource}
      workflow={workflow}
      inputs={{ replies: () => <RepliesInput />, draft: () => <MenuInput /> }}
      shows={{
        replies: ({ replies }: OfficialAccount) => <Replies replies={replies} />,
        draft: ({ draft }: OfficialAccount) => <Menu lines={draft} />,
        menu: ({ menu }: OfficialAccount) => <Menu lines={menu} />,
      }}
      tabs={[
        { name: 'tab.subscribers', Show: Subscribers },
        { name: 'tab.try', Show: TryReply },
        { name: 'tab.answers', Show: Answers },
      ]}
    />
  )
}

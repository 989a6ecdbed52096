import { Button, Space, Table } from 'antd'
import { lazy } from 'react'
import { MISSING } from '#kit/page/field/show.tsx'
import { useTexts } from '#kit/page/language.ts'
import { ListPage } from '#kit/page/list/list-page.tsx'
import { useTab } from '#kit/page/tab.ts'
import { StateTag } from '#kit/page/tone.tsx'
import type { locale } from './locale.ts'
import { type CoursePackage, resource, workflow } from './model.ts'

const LessonsInput = lazy(async () => ({ default: (await import('./lessons-input.page.tsx')).LessonsInput }))

export function Page() {
  return (
    <ListPage
      resource={resource}
      workflow={workflow}
      inputs={{ lessons: () => <LessonsInput /> }}
      shows={{
        lessonCount: oncePublished,
        edition: oncePublished,
        lessons: (row: CoursePackage) => <Lessons lessons={row.lessons} />,
        usedBy: (row: CoursePackage) => <Users users={row.usedBy} />,
      }}
    />
  )
}

/** What was never published has no edition yet, and its lessons are the draft's. */
const oncePublished = ({ status }: CoursePackage) => (status === 'DRAFT' ? MISSING : undefined)

function Lessons({ lessons }: Pick<CoursePackage, 'lessons'>) {
  const say = useTexts<typeof locale>(resource.screen.name)
  const words = (text: string) => text || MISSING
  return (
    <Table
      size="small"
      rowKey={lesson => lessons.indexOf(lesson)}
      dataSource={lessons}
      pagination={{ pageSize: 20, hideOnSinglePage: true, showSizeChanger: false, size: 'small' }}
      columns={[
        { dataIndex: 'day', title: say('lesson.day'), align: 'right', width: 72 },
        { dataIndex: 'title', title: say('lesson.title') },
        { dataIndex: 'material', title: say('lesson.material'), render: words },
        { dataIndex: 'homework', title: say('lesson.homework'), render: words },
      ]}
    />
  )
}

/** The products that give this course: a change reaches whoever buys them from its publication on. */
function Users({ users }: { users: CoursePackage['usedBy'] }) {
  const say = useTexts<typeof locale>(resource.screen.name)
  const tab = useTab()
  return (
    <Space wrap size={16}>
      {users.map(({ id, name, onSale }) => (
        <span key={id}>
          <Button type="link" size="small" onClick={() => tab.open(`/product/list?open=${id}`)}>
            {name}
          </Button>
          <StateTag tone={onSale ? 'done' : 'idle'}>{say(onSale ? 'on-sale' : 'off-sale')}</StateTag>
        </span>
      ))}
    </Space>
  )
}

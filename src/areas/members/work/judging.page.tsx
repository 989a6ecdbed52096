import { DeleteOutlined } from '@ant-design/icons'
import { Button, Input, Rate, Select, Tag } from 'antd'
import type { Dispatch } from 'react'
import { useDictionary } from '#kit/page/field/dictionary.ts'
import { useTexts } from '#kit/page/language.ts'
import { criteriaOf, isScored, type Kind, MAX_POINTS, MAX_WORDS, scoreOf } from './comment.model.ts'
import { type Deed, type Judging, nextCriterion, PHRASE_KEYS } from './desk-state.model.ts'
import type { locale } from './locale.ts'
import { resource } from './model.ts'

type Props = { kind: Kind; judging: Judging; onDeed: Dispatch<Deed> }

/** Marks, points and words: everything a comment consists of. */
export function JudgingPanel({ kind, judging, onDeed }: Props) {
  const say = useTexts<typeof locale>(resource.screen.name)
  const phrases = useDictionary('WORK_PHRASE').filter(({ enabled }) => enabled)
  return (
    <>
      <Marks judging={judging} onDeed={onDeed} />
      <section aria-label={say('desk.score')}>
        <h3>
          {say('desk.score')}
          {isScored(kind, judging.scores) && (
            <strong className="work-total">{say('desk.total', { score: scoreOf(kind, judging.scores) })}</strong>
          )}
        </h3>
        <Criteria kind={kind} judging={judging} onDeed={onDeed} />
      </section>
      <section aria-label={say('field.words')}>
        <h3>{say('desk.phrases')}</h3>
        <div className="work-phrases">
          {phrases.map(({ k, v }, at) => (
            <Button key={v} size="small" onClick={() => onDeed({ do: 'say', phrase: k })}>
              {PHRASE_KEYS[at] && <kbd>{PHRASE_KEYS[at]?.toUpperCase()}</kbd>}
              <span>{k}</span>
            </Button>
          ))}
        </div>
        <Input.TextArea
          aria-label={say('field.words')}
          value={judging.words}
          maxLength={MAX_WORDS}
          autoSize={{ minRows: 3, maxRows: 8 }}
          onChange={({ target }) => onDeed({ do: 'write', words: target.value })}
        />
      </section>
    </>
  )
}

function Marks({ judging: { marks, chosen }, onDeed }: Pick<Props, 'judging' | 'onDeed'>) {
  const say = useTexts<typeof locale>(resource.screen.name)
  const faults = useDictionary('WORK_FAULT').filter(({ enabled }) => enabled)
  return (
    <section aria-label={say('desk.marks')}>
      <h3>{say('desk.marks')}</h3>
      {marks.length === 0 && <p className="inkstone-note">{say('desk.no-marks')}</p>}
      <ol className="work-marks">
        {marks.map(({ fault }, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: marks are told apart by their place alone
          <li key={at} className={at === chosen ? 'work-marks-chosen' : undefined}>
            <Tag>{at + 1}</Tag>
            <Select
              size="small"
              aria-label={say('desk.mark', { number: at + 1 })}
              placeholder={say('desk.fault')}
              value={fault}
              onChange={value => onDeed({ do: 'blame', at, fault: value ?? null })}
              options={faults.map(({ k, v }, nth) => ({ value: v, label: nth < 9 ? `${nth + 1} ${k}` : k }))}
              popupMatchSelectWidth={false}
            />
            <Button
              size="small"
              type="text"
              aria-label={say('desk.remove', { number: at + 1 })}
              icon={<DeleteOutlined />}
              onClick={() => onDeed({ do: 'remove', at })}
            />
          </li>
        ))}
      </ol>
    </section>
  )
}

function Criteria({ kind, judging, onDeed }: Props) {
  const say = useTexts<typeof locale>(resource.screen.name)
  const criteria = criteriaOf(kind)
  const next = judging.chosen === null ? nextCriterion(criteria, judging) : undefined
  return (
    <ul className="work-criteria">
      {criteria.map(name => (
        <li key={name} className={name === next ? 'work-criterion-next' : undefined}>
          <span id={`criterion-${name}`}>{say(`criterion.${name}`)}</span>
          <Rate
            aria-labelledby={`criterion-${name}`}
            count={MAX_POINTS}
            value={judging.scores[name] ?? 0}
            onChange={points => onDeed({ do: 'score', criterion: name, points })}
          />
          <span className="inkstone-figure">{judging.scores[name] ?? '–'}</span>
        </li>
      ))}
    </ul>
  )
}

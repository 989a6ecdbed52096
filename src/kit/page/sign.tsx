import Icon from '@ant-design/icons'

/** Drawn here, where few screens need them: the icons of the library would come with the first list of everybody. */
const PATHS = {
  table: 'M96 160h832v704H96zM168 352v128h300V352zm372 0v128h316V352zM168 552v240h300V552zm372 0v240h316V552z',
  gallery: 'M144 144h312v312H144zm424 0h312v312H568zM144 568h312v312H144zm424 0h312v312H568z',
  picture:
    'M96 160h832v704H96zm72 72v460l216-240 164 176 104-104 204 208V232zm470 60a70 70 0 1 1 0 140 70 70 0 0 1 0-140z',
  departments: 'M392 112h240v200h-84v132h268v156h92v240H676V600h68v-84H280v84h68v240H116V600h92V444h268V312h-84z',
} as const

type Props = { name: keyof typeof PATHS; 'aria-label'?: string }

export const Sign = ({ name, ...given }: Props) => (
  <Icon
    {...given}
    aria-hidden={given['aria-label'] === undefined}
    component={() => (
      <svg viewBox="0 0 1024 1024" width="1em" height="1em" fill="currentColor" fillRule="evenodd" aria-hidden="true">
        <path d={PATHS[name]} />
      </svg>
    )}
  />
)

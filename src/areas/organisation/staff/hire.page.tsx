import { wide } from '#kit/page/form/inputs.ts'
import { OneTimeForm } from '#kit/page/one-time/one-time-form.tsx'
import { newStaff, resource } from './model.ts'
import { PositionsInput } from './positions-input.page.tsx'

const FIELDS = ['name', 'account', ...resource.edit.filter(field => field !== 'name')]
const ASKED = { account: newStaff.shape.account }
const INPUTS = { positions: wide(() => <PositionsInput />) }
const INITIAL = { gender: 'UK' }

/** Takes somebody in, and shows the password it begins with. */
export const HireModal = ({ onClose }: { onClose(): void }) => (
  <OneTimeForm resource={resource} fields={FIELDS} asked={ASKED} inputs={INPUTS} initial={INITIAL} onClose={onClose} />
)

import { wide } from '#kit/page/form/inputs.ts'
import { OneTimeForm } from '#kit/page/one-time/one-time-form.tsx'
import { newUser, resource } from './model.ts'
import { RolesInput } from './roles.page.tsx'

const FIELDS = ['name', 'account', 'orgId', 'positionId', 'phone', 'roleIds']
const INPUTS = { roleIds: wide(() => <RolesInput />) }

/** Gives somebody an account, and shows the password it begins with. */
export const HireModal = ({ onClose }: { onClose(): void }) => (
  <OneTimeForm resource={resource} fields={FIELDS} asked={newUser.shape} inputs={INPUTS} onClose={onClose} />
)

import { Select } from 'antd'
import type { InputProps } from '#kit/page/field/input.tsx'
import { useTexts } from '#kit/page/language.ts'
import type { locale } from './locale.ts'
import { resource } from './model.ts'
import { ROUTES } from './route.model.ts'
import { useSuggestion } from './suggestion.page.tsx'

/** The ways the money of the chosen order can go back, and no other. */
export function RouteInput(control: InputProps<string>) {
  const say = useTexts<typeof locale>(resource.screen.name)
  const routes = useSuggestion().data?.routes ?? ROUTES
  return <Select {...control} options={routes.map(route => ({ value: route, label: say(`route.${route}`) }))} />
}

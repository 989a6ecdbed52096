import type { RecordOf, Resource, Shape } from '#kit/model/resource.ts'
import type { Inputs } from '#kit/model/workflow.ts'
import type { Rules, Served } from '../change/rules.ts'
import { toDosOf } from '../change/to-do.ts'
import type { Row } from '../database/database.ts'
import { exportRoutes } from '../file/export.ts'
import type { Route, Routes } from '../http/route.ts'
import { openList } from '../list/list.ts'
import { matchingRoutes } from './matching.ts'
import { personalRoutes } from './personal.ts'
import { readRoutes } from './serve-read.ts'
import { stepRoutes } from './serve-steps.ts'
import { treeConstraints, treeRoutes } from './serve-tree.ts'
import { createRoute, type Editing, editingAtOnce, editRoutes, removeRoutes } from './serve-write.ts'

/** What a part of the kit does otherwise with a resource than store what was sent. */
type Otherwise = { readonly editing: Editing; readonly routes: readonly Route[] }
const atOnce = (served: Served): Otherwise => ({ editing: editingAtOnce(served), routes: [] })

/** The calls of spec §7 for one resource, at /api/<area>/<screen>, as its declaration allows and its rules demand. */
export const serve =
  <S extends Shape, Facts = undefined, Asked extends Inputs = Inputs>(
    declared: Resource<S>,
    given: Rules<RecordOf<Resource<S>>, Facts, Asked> = {},
    otherwise: (served: Served) => Otherwise = atOnce,
  ): Routes =>
  app => {
    // Inside the kit a record is a row of named values; the types are the slice's.
    const resource: Resource = declared
    const own = given as unknown as Rules<Row>
    const rules = { ...own, constraints: { ...treeConstraints(resource), ...own.constraints } }
    const list = openList(resource, app.catalogue, app.db, app.counts)
    const served = { app, resource, rules, list }
    const { editing, routes } = otherwise(served)
    const toDos = toDosOf(served)
    if (toDos) app.toDos.set(resource.screen.name, toDos)
    const { named } = rules
    if (named) app.namings.set(resource.screen.name, (row, language) => named(app, row, language))
    return [
      ...readRoutes(served),
      ...(resource.actions.includes('create') ? [createRoute(served)] : []),
      ...(resource.actions.includes('update') ? editRoutes(served, editing) : []),
      ...(resource.actions.includes('delete') ? removeRoutes(served) : []),
      ...(resource.tree ? treeRoutes(served, resource.tree) : []),
      ...routes,
      ...stepRoutes(served),
      ...matchingRoutes(served),
      ...(resource.actions.includes('export') ? exportRoutes(app, resource, list) : []),
      ...personalRoutes(app, resource, list),
    ]
  }

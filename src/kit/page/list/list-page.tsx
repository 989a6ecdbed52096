import type { Shape } from '#kit/model/resource.ts'
import { recordOf } from '../screens.ts'
import { useTab } from '../tab.ts'
import { RecordPage } from './drawers.tsx'
import { List, type ListProps, useDeclared } from './list.tsx'
import { ListBar, ListBody, ListChips, ListHead, ListPager, ListPanes, ListRecord, ListTabs } from './list-parts.tsx'
import { neighboursOf, pageAddress, RecordActions, RecordForm } from './record.tsx'
import { useList } from './use-list.ts'

/** A whole screen from a declaration: its list, and below its route the page of each record. */
export function ListPage<S extends Shape>(props: ListProps<S>) {
  const id = recordOf(useTab().path)
  return id === undefined ? <WholeList {...props} /> : <WholeRecord {...props} id={id} />
}

/** One record, with the tab to itself. Opened from a list (`of`), it knows its neighbours there. */
function WholeRecord<S extends Shape>({ id, ...props }: ListProps<S> & { id: string }) {
  const { resource, asking, links, told } = useDeclared(props)
  const tab = useTab()
  const isListed = tab.search.has('of')
  const list = useList(resource, told.workflow, asking, isListed)
  const neighbours = neighboursOf(list, id, next => tab.turn(pageAddress(resource, tab.search, next)))
  return (
    <>
      <RecordPage
        {...told}
        id={id}
        onSettled={list.reload}
        neighbours={isListed ? neighbours : undefined}
        actions={row => <RecordActions {...told} list={list} row={row} links={links(row)} />}
      />
      <RecordForm resource={resource} list={list} {...asking} />
    </>
  )
}

/** The parts in the order of all screens; one that wants another order puts them into a `List` of its own. */
function WholeList<S extends Shape>(props: ListProps<S>) {
  return (
    <List {...props}>
      <ListPanes>
        <ListHead>
          <ListTabs />
          <ListBar />
          <ListChips />
        </ListHead>
        <ListBody />
        <ListPager />
        <ListRecord />
      </ListPanes>
    </List>
  )
}

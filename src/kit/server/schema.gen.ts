// Generated from the migrated database by `npm run generate`; a test keeps it equal.
import type { ColumnType, GeneratedAlways } from 'kysely'

export type Schema = {
  attempt_gate: {
    kind: string
    subject: string
    attempts: number
    window_until: ColumnType<string, Date | string, Date | string>
    locked_until: ColumnType<string | null, Date | string | null | undefined, Date | string | null>
  }
  captcha: {
    key: string
    answer: string
    expires_at: ColumnType<string, Date | string, Date | string>
  }
  dictionary_item: {
    id: GeneratedAlways<string>
    type_id: ColumnType<string, string | number, string | number>
    label: string
    value: string
    colour: ColumnType<string | null, string | null | undefined, string | null>
    sort: number
    enabled: ColumnType<boolean, boolean | undefined, boolean>
  }
  dictionary_type: {
    id: GeneratedAlways<string>
    code: string
    name: string
    note: ColumnType<string, string | undefined, string>
    built_in: ColumnType<boolean, boolean | undefined, boolean>
    created_at: ColumnType<string, Date | string | undefined, Date | string>
    version: ColumnType<number, number | undefined, number>
  }
  file: {
    id: ColumnType<string, string | undefined, string>
    purpose: string
    name: string
    type: string
    bytes: number
    sha256: string
    owner_id: ColumnType<string, string | number, string | number>
    page: ColumnType<string | null, string | null | undefined, string | null>
    record_id: ColumnType<string | null, string | number | null | undefined, string | number | null>
    created_at: ColumnType<string, Date | string, Date | string>
  }
  idempotency: {
    actor_id: ColumnType<string, string | number, string | number>
    key: string
    route: string
    body_hash: string
    answer: unknown
    created_at: ColumnType<string, Date | string, Date | string>
  }
  inbox_event: {
    id: GeneratedAlways<string>
    source: string
    event_key: string
    type: string
    payload: unknown
    received_at: ColumnType<string, Date | string, Date | string>
    applied_at: ColumnType<string | null, Date | string | null | undefined, Date | string | null>
    attempts: ColumnType<number, number | undefined, number>
    next_at: ColumnType<string, Date | string, Date | string>
    error: ColumnType<string | null, string | null | undefined, string | null>
  }
  kept_count: {
    table_name: string
    org_id: ColumnType<string | null, string | number | null | undefined, string | number | null>
    owner_id: ColumnType<string | null, string | number | null | undefined, string | number | null>
    state: string
    n: ColumnType<string, string | number, string | number>
  }
  login_trace: {
    id: GeneratedAlways<string>
    at: ColumnType<string, Date | string, Date | string>
    staff_id: ColumnType<string | null, string | number | null | undefined, string | number | null>
    account: string
    address: string
    device: string
    result: 'SUCCESS' | 'CAPTCHA' | 'CREDENTIALS' | 'LOCKED' | 'DISABLED'
    session_id: ColumnType<string | null, string | number | null | undefined, string | number | null>
  }
  member: {
    id: GeneratedAlways<string>
    name: string
    name_pinyin: ColumnType<string, string | undefined, string>
    phone: string
    guardian_name: ColumnType<string | null, string | null | undefined, string | null>
    level: ColumnType<'TRIAL' | 'MEMBER' | 'EXPIRED', 'TRIAL' | 'MEMBER' | 'EXPIRED' | undefined, 'TRIAL' | 'MEMBER' | 'EXPIRED'>
    source: string
    owner_id: ColumnType<string | null, string | number | null | undefined, string | number | null>
    org_id: ColumnType<string | null, string | number | null | undefined, string | number | null>
    created_at: ColumnType<string, Date | string | undefined, Date | string>
    version: ColumnType<number, number | undefined, number>
  }
  migration: {
    name: string
    checksum: string
    applied_at: ColumnType<string, Date | string | undefined, Date | string>
  }
  number_sequence: {
    kind: string
    day: string
    last: ColumnType<string, string | number, string | number>
  }
  operation_log: {
    id: GeneratedAlways<string>
    at: ColumnType<string, Date | string, Date | string>
    actor_id: ColumnType<string | null, string | number | null | undefined, string | number | null>
    actor_name: string
    address: string
    request_id: string
    page: string
    action: string
    record_id: ColumnType<string | null, string | number | null | undefined, string | number | null>
    diff: ColumnType<unknown, unknown | undefined, unknown>
    reason: ColumnType<string | null, string | null | undefined, string | null>
    code: number
    duration_ms: ColumnType<number, number | undefined, number>
  }
  org: {
    id: GeneratedAlways<string>
    parent_id: ColumnType<string | null, string | number | null | undefined, string | number | null>
    name: string
    code: string
    path: string
    sort: ColumnType<number, number | undefined, number>
    version: ColumnType<number, number | undefined, number>
  }
  password_history: {
    id: GeneratedAlways<string>
    staff_id: ColumnType<string, string | number, string | number>
    hash: string
    set_at: ColumnType<string, Date | string, Date | string>
  }
  permission: {
    id: GeneratedAlways<string>
    parent_id: ColumnType<string | null, string | number | null | undefined, string | number | null>
    display_type: 'MENU' | 'PERMISSION'
    resource_code: string
    display_name: string
    sort: ColumnType<number, number | undefined, number>
    vanished: ColumnType<boolean, boolean | undefined, boolean>
  }
  refund_application: {
    id: GeneratedAlways<string>
    refund_no: string
    order_id: ColumnType<string, string | number, string | number>
    member_id: ColumnType<string, string | number, string | number>
    amount_fen: ColumnType<string, string | number, string | number>
    reason: string
    note: ColumnType<string, string | undefined, string>
    status: ColumnType<'SUBMITTED' | 'L1_APPROVED' | 'REJECTED' | 'WITHDRAWN', 'SUBMITTED' | 'L1_APPROVED' | 'REJECTED' | 'WITHDRAWN' | undefined, 'SUBMITTED' | 'L1_APPROVED' | 'REJECTED' | 'WITHDRAWN'>
    applicant_id: ColumnType<string, string | number, string | number>
    owner_id: ColumnType<string | null, string | number | null | undefined, string | number | null>
    org_id: ColumnType<string | null, string | number | null | undefined, string | number | null>
    created_at: ColumnType<string, Date | string | undefined, Date | string>
    version: ColumnType<number, number | undefined, number>
  }
  refund_notice: {
    id: GeneratedAlways<string>
    source: string
    order_no: string
    lead_phone: ColumnType<string | null, string | null | undefined, string | null>
    phone: ColumnType<string | null, string | null | undefined, string | null>
    member_id: ColumnType<string | null, string | number | null | undefined, string | number | null>
    owner_id: ColumnType<string | null, string | number | null | undefined, string | number | null>
    org_id: ColumnType<string | null, string | number | null | undefined, string | number | null>
    status: ColumnType<'UNREAD' | 'READ', 'UNREAD' | 'READ' | undefined, 'UNREAD' | 'READ'>
    created_at: ColumnType<string, Date | string, Date | string>
    processed_at: ColumnType<string | null, Date | string | null | undefined, Date | string | null>
    processed_by: ColumnType<string | null, string | number | null | undefined, string | number | null>
  }
  role: {
    id: GeneratedAlways<string>
    code: string
    name: string
    scope: 'SELF' | 'SELF_AND_SUBORDINATES' | 'DEPARTMENT' | 'DEPARTMENT_AND_BELOW' | 'ALL' | 'CHOSEN'
    version: ColumnType<number, number | undefined, number>
  }
  role_org: {
    role_id: ColumnType<string, string | number, string | number>
    org_id: ColumnType<string, string | number, string | number>
  }
  role_permission: {
    role_id: ColumnType<string, string | number, string | number>
    permission_id: ColumnType<string, string | number, string | number>
  }
  sales_order: {
    id: GeneratedAlways<string>
    order_no: string
    member_id: ColumnType<string, string | number, string | number>
    product_name: string
    amount_fen: ColumnType<string, string | number, string | number>
    paid_fen: ColumnType<string, string | number | undefined, string | number>
    reserved_fen: ColumnType<string, string | number | undefined, string | number>
    refunded_fen: ColumnType<string, string | number | undefined, string | number>
    pay_state: ColumnType<'UNPAID' | 'EXAMINING' | 'PAID' | 'CLOSED', 'UNPAID' | 'EXAMINING' | 'PAID' | 'CLOSED' | undefined, 'UNPAID' | 'EXAMINING' | 'PAID' | 'CLOSED'>
    fulfil_state: ColumnType<'NOT_NEEDED' | 'WAITING' | 'PARTIAL' | 'SENT' | 'DONE', 'NOT_NEEDED' | 'WAITING' | 'PARTIAL' | 'SENT' | 'DONE' | undefined, 'NOT_NEEDED' | 'WAITING' | 'PARTIAL' | 'SENT' | 'DONE'>
    refund_state: ColumnType<'NONE' | 'PARTIAL' | 'FULL', 'NONE' | 'PARTIAL' | 'FULL' | undefined, 'NONE' | 'PARTIAL' | 'FULL'>
    source: string
    note: ColumnType<string, string | undefined, string>
    sold_by: ColumnType<string | null, string | number | null | undefined, string | number | null>
    owner_id: ColumnType<string | null, string | number | null | undefined, string | number | null>
    org_id: ColumnType<string | null, string | number | null | undefined, string | number | null>
    created_at: ColumnType<string, Date | string | undefined, Date | string>
    paid_at: ColumnType<string | null, Date | string | null | undefined, Date | string | null>
    closed_at: ColumnType<string | null, Date | string | null | undefined, Date | string | null>
    version: ColumnType<number, number | undefined, number>
  }
  session: {
    id: GeneratedAlways<string>
    staff_id: ColumnType<string, string | number, string | number>
    token_hash: Buffer
    token_at: ColumnType<string, Date | string, Date | string>
    old_hash: ColumnType<Buffer | null, Buffer | null | undefined, Buffer | null>
    old_until: ColumnType<string | null, Date | string | null | undefined, Date | string | null>
    created_at: ColumnType<string, Date | string, Date | string>
    expires_at: ColumnType<string, Date | string, Date | string>
    active_at: ColumnType<string, Date | string, Date | string>
    address: string
    device: string
    ended_at: ColumnType<string | null, Date | string | null | undefined, Date | string | null>
    end_reason: ColumnType<'LOGOUT' | 'FORCED' | 'DISABLED' | 'PASSWORD' | 'EXPIRED' | null, 'LOGOUT' | 'FORCED' | 'DISABLED' | 'PASSWORD' | 'EXPIRED' | null | undefined, 'LOGOUT' | 'FORCED' | 'DISABLED' | 'PASSWORD' | 'EXPIRED' | null>
  }
  signal: {
    id: GeneratedAlways<string>
    at: ColumnType<string, Date | string | undefined, Date | string>
    topic: string
    payload: unknown
  }
  socket_ticket: {
    hash: Buffer
    session_id: ColumnType<string, string | number, string | number>
    expires_at: ColumnType<string, Date | string, Date | string>
  }
  staff: {
    id: GeneratedAlways<string>
    account: string
    name: string
    name_pinyin: ColumnType<string, string | undefined, string>
    org_id: ColumnType<string, string | number, string | number>
    manager_id: ColumnType<string | null, string | number | null | undefined, string | number | null>
    gender: ColumnType<'F' | 'M' | 'UK', 'F' | 'M' | 'UK' | undefined, 'F' | 'M' | 'UK'>
    phone: ColumnType<string | null, string | null | undefined, string | null>
    email: ColumnType<string | null, string | null | undefined, string | null>
    avatar: ColumnType<string | null, string | null | undefined, string | null>
    language: ColumnType<'zh-CN' | 'zh-TW' | 'en-US' | 'pt-BR' | null, 'zh-CN' | 'zh-TW' | 'en-US' | 'pt-BR' | null | undefined, 'zh-CN' | 'zh-TW' | 'en-US' | 'pt-BR' | null>
    preference: ColumnType<unknown, unknown | undefined, unknown>
    password_hash: string
    password_set_at: ColumnType<string, Date | string | undefined, Date | string>
    must_change: ColumnType<boolean, boolean | undefined, boolean>
    status: ColumnType<'ENABLED' | 'DISABLED', 'ENABLED' | 'DISABLED' | undefined, 'ENABLED' | 'DISABLED'>
    created_at: ColumnType<string, Date | string | undefined, Date | string>
    version: ColumnType<number, number | undefined, number>
  }
  staff_role: {
    staff_id: ColumnType<string, string | number, string | number>
    role_id: ColumnType<string, string | number, string | number>
  }
  task: {
    id: GeneratedAlways<string>
    kind: string
    title: string
    owner_id: ColumnType<string, string | number, string | number>
    state: ColumnType<'WAITING' | 'RUNNING' | 'DONE' | 'FAILED' | 'CANCELLED', 'WAITING' | 'RUNNING' | 'DONE' | 'FAILED' | 'CANCELLED' | undefined, 'WAITING' | 'RUNNING' | 'DONE' | 'FAILED' | 'CANCELLED'>
    done_rows: ColumnType<number, number | undefined, number>
    all_rows: ColumnType<number, number | undefined, number>
    request: unknown
    file_id: ColumnType<string | null, string | null | undefined, string | null>
    error: ColumnType<string | null, string | null | undefined, string | null>
    created_at: ColumnType<string, Date | string, Date | string>
    started_at: ColumnType<string | null, Date | string | null | undefined, Date | string | null>
    ended_at: ColumnType<string | null, Date | string | null | undefined, Date | string | null>
    heartbeat_at: ColumnType<string | null, Date | string | null | undefined, Date | string | null>
    attempts: ColumnType<number, number | undefined, number>
  }
}

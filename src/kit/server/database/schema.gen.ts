// Generated from the migrated database by `npm run generate`; a test keeps it equal.
import type { ColumnType, GeneratedAlways } from 'kysely'

export type Schema = {
  account_answer: {
    id: GeneratedAlways<string>
    account_id: ColumnType<string, string | number, string | number>
    follower_id: ColumnType<string, string | number, string | number>
    kind: 'WELCOME' | 'KEYWORD'
    keyword: ColumnType<string | null, string | null | undefined, string | null>
    reply: string
    state: ColumnType<'WAITING' | 'SENT' | 'REFUSED' | 'UNKNOWN' | 'DROPPED', 'WAITING' | 'SENT' | 'REFUSED' | 'UNKNOWN' | 'DROPPED' | undefined, 'WAITING' | 'SENT' | 'REFUSED' | 'UNKNOWN' | 'DROPPED'>
    error: ColumnType<string | null, string | null | undefined, string | null>
    sending_at: ColumnType<string | null, Date | string | null | undefined, Date | string | null>
    created_at: ColumnType<string, Date | string, Date | string>
    said_at: ColumnType<string, Date | string, Date | string>
  }
  account_count: {
    account_id: ColumnType<string | null, string | number | null | undefined, string | number | null>
    scene_id: ColumnType<string | null, string | number | null | undefined, string | number | null>
    followed: ColumnType<number, number | undefined, number>
    followers: ColumnType<number, number | undefined, number>
    gone: ColumnType<number, number | undefined, number>
    leads: ColumnType<number, number | undefined, number>
    scans: ColumnType<number, number | undefined, number>
  }
  account_event: {
    follower_id: ColumnType<string, string | number, string | number>
    kind: 'SUBSCRIBE' | 'UNSUBSCRIBE' | 'SCAN' | 'MESSAGE' | 'NUMBER'
    at: ColumnType<string, Date | string, Date | string>
    scene_id: ColumnType<string | null, string | number | null | undefined, string | number | null>
    came_by: ColumnType<string | null, string | null | undefined, string | null>
    message_key: ColumnType<string, string | undefined, string>
  }
  account_follower: {
    id: GeneratedAlways<string>
    account_id: ColumnType<string, string | number, string | number>
    openid: string
    status: 'FOLLOWING' | 'LEFT' | 'NEVER'
    scene_id: ColumnType<string | null, string | number | null | undefined, string | number | null>
    came_by: ColumnType<string | null, string | null | undefined, string | null>
    first_at: ColumnType<string, Date | string, Date | string>
    left_at: ColumnType<string | null, Date | string | null | undefined, Date | string | null>
    times: ColumnType<number, number | undefined, number>
    lead_id: ColumnType<string | null, string | number | null | undefined, string | number | null>
    is_lead: GeneratedAlways<boolean>
    unionid: ColumnType<string | null, string | null | undefined, string | null>
    member_id: ColumnType<string | null, string | number | null | undefined, string | number | null>
    is_member: GeneratedAlways<boolean>
  }
  account_scene: {
    id: GeneratedAlways<string>
    account_id: ColumnType<string, string | number, string | number>
    state_code: GeneratedAlways<string>
    name: string
    channel: string
    keeper_id: ColumnType<string | null, string | number | null | undefined, string | number | null>
    status: ColumnType<'WAITING' | 'OPEN' | 'FAILED' | 'CLOSED' | 'EXPIRED', 'WAITING' | 'OPEN' | 'FAILED' | 'CLOSED' | 'EXPIRED' | undefined, 'WAITING' | 'OPEN' | 'FAILED' | 'CLOSED' | 'EXPIRED'>
    valid_until: ColumnType<string | null, Date | string | null | undefined, Date | string | null>
    link: ColumnType<string | null, string | null | undefined, string | null>
    error: ColumnType<string | null, string | null | undefined, string | null>
    followed: ColumnType<number, number | undefined, number>
    followers: ColumnType<number, number | undefined, number>
    scans: ColumnType<number, number | undefined, number>
    leads: ColumnType<number, number | undefined, number>
    created_at: ColumnType<string, Date | string, Date | string>
  }
  ad_line: {
    id: GeneratedAlways<string>
    day: string
    account: string
    plan: string
    plan_name: string
    spend_fen: ColumnType<string, string | number, string | number>
    views: number
    clicks: number
    leads: ColumnType<number, number | undefined, number>
    added: ColumnType<number, number | undefined, number>
    registered: ColumnType<number, number | undefined, number>
    paid: ColumnType<number, number | undefined, number>
    gmv_fen: ColumnType<string, string | number | undefined, string | number>
    ctr: GeneratedAlways<number | null>
    cpl_fen: GeneratedAlways<string | null>
    roi: GeneratedAlways<number | null>
    created_at: ColumnType<string, Date | string | undefined, Date | string>
    version: ColumnType<number, number | undefined, number>
  }
  allocation_case: {
    id: GeneratedAlways<string>
    lead_id: ColumnType<string | null, string | number | null | undefined, string | number | null>
    source: string
    channel: string
    status: ColumnType<'WAITING' | 'GIVEN' | 'GONE', 'WAITING' | 'GIVEN' | 'GONE' | undefined, 'WAITING' | 'GIVEN' | 'GONE'>
    is_full: ColumnType<boolean, boolean | undefined, boolean>
    came_at: ColumnType<string, Date | string, Date | string>
    first_round: ColumnType<string | null, string | number | null | undefined, string | number | null>
    last_round: ColumnType<string | null, string | number | null | undefined, string | number | null>
    warned_at: ColumnType<string | null, Date | string | null | undefined, Date | string | null>
    product_id: ColumnType<string | null, string | number | null | undefined, string | number | null>
  }
  allocation_decision: {
    id: GeneratedAlways<string>
    round_id: ColumnType<string, string | number, string | number>
    case_id: ColumnType<string, string | number, string | number>
    consultant_id: ColumnType<string | null, string | number | null | undefined, string | number | null>
    rule_key: ColumnType<string | null, string | null | undefined, string | null>
    rule_name: ColumnType<string | null, string | null | undefined, string | null>
    is_fallback: ColumnType<boolean, boolean | undefined, boolean>
    passed: unknown
    turn: ColumnType<unknown | null, unknown | null | undefined, unknown | null>
    source: string
    channel: string
    waited: ColumnType<number, number | undefined, number>
    created_at: ColumnType<string, Date | string, Date | string>
    product_id: ColumnType<string | null, string | number | null | undefined, string | number | null>
    lead_id: ColumnType<string | null, string | number | null | undefined, string | number | null>
    staff_id: ColumnType<string | null, string | number | null | undefined, string | number | null>
  }
  allocation_edition: {
    id: GeneratedAlways<string>
    rules: unknown
    note: ColumnType<string, string | undefined, string>
    by_id: ColumnType<string | null, string | number | null | undefined, string | number | null>
    created_at: ColumnType<string, Date | string | undefined, Date | string>
  }
  allocation_round: {
    id: GeneratedAlways<string>
    edition_id: ColumnType<string, string | number, string | number>
    at: ColumnType<string, Date | string, Date | string>
    people: unknown
  }
  allocation_turn: {
    key: string
    n: number
    counts: unknown
    used_at: ColumnType<string, Date | string, Date | string>
  }
  attempt_gate: {
    kind: string
    subject: string
    attempts: number
    window_until: ColumnType<string, Date | string, Date | string>
    locked_until: ColumnType<string | null, Date | string | null | undefined, Date | string | null>
    under_way: ColumnType<number, number | undefined, number>
  }
  author: {
    id: GeneratedAlways<string>
    partner_id: ColumnType<string, string | number, string | number>
    name: string
    platform: 'DOUYIN' | 'XIAOHONGSHU' | 'WECHAT_CHANNELS' | 'BILIBILI' | 'KUAISHOU'
    account: string
    followers: ColumnType<number, number | undefined, number>
    post_fen: ColumnType<string | null, string | number | null | undefined, string | number | null>
    note: ColumnType<string, string | undefined, string>
    registered: ColumnType<number, number | undefined, number>
    paid_orders: ColumnType<number, number | undefined, number>
    paid_fen: ColumnType<string, string | number | undefined, string | number>
    refunded_fen: ColumnType<string, string | number | undefined, string | number>
    commission_fen: ColumnType<string, string | number | undefined, string | number>
    counted_at: ColumnType<string | null, Date | string | null | undefined, Date | string | null>
    created_at: ColumnType<string, Date | string | undefined, Date | string>
    version: ColumnType<number, number | undefined, number>
  }
  base_product: {
    id: GeneratedAlways<string>
    sku: string
    name: string
    unit: string
    on_hand: ColumnType<number, number | undefined, number>
    locked: ColumnType<number, number | undefined, number>
    available: GeneratedAlways<number>
    warn_at: ColumnType<number, number | undefined, number>
    is_low: GeneratedAlways<boolean>
    cost_fen: ColumnType<string, string | number, string | number>
    value_fen: ColumnType<string, string | number, string | number>
    created_at: ColumnType<string, Date | string | undefined, Date | string>
    version: ColumnType<number, number | undefined, number>
  }
  browse_record: {
    id: GeneratedAlways<string>
    key: string
    member_id: ColumnType<string, string | number, string | number>
    product_name: string
    times: ColumnType<number, number | undefined, number>
    last_seen_at: ColumnType<string, Date | string, Date | string>
    status: ColumnType<'OPEN' | 'CONTACTED' | 'DISMISSED' | 'ORDERED', 'OPEN' | 'CONTACTED' | 'DISMISSED' | 'ORDERED' | undefined, 'OPEN' | 'CONTACTED' | 'DISMISSED' | 'ORDERED'>
    owner_id: ColumnType<string | null, string | number | null | undefined, string | number | null>
    org_id: ColumnType<string | null, string | number | null | undefined, string | number | null>
    created_at: ColumnType<string, Date | string | undefined, Date | string>
    version: ColumnType<number, number | undefined, number>
  }
  business_setting: {
    key: string
    value: number
    since: ColumnType<string, Date | string, Date | string>
  }
  campaign: {
    id: GeneratedAlways<string>
    name: string
    template_id: ColumnType<string, string | number, string | number>
    edition_id: ColumnType<string, string | number, string | number>
    code: string
    title: string
    body: string
    provider_code: ColumnType<string | null, string | null | undefined, string | null>
    filled: ColumnType<unknown, unknown | undefined, unknown>
    audience_by: 'FILTER' | 'NUMBERS'
    levels: ColumnType<string[], string[] | undefined, string[]>
    channels: ColumnType<string[], string[] | undefined, string[]>
    tags: ColumnType<string[], string[] | undefined, string[]>
    of_owner_id: ColumnType<string | null, string | number | null | undefined, string | number | null>
    members: ColumnType<number, number | undefined, number>
    repeated: ColumnType<number, number | undefined, number>
    invalid: ColumnType<number, number | undefined, number>
    strangers: ColumnType<number, number | undefined, number>
    to_send: ColumnType<number, number | undefined, number>
    under_way: ColumnType<number, number | undefined, number>
    sent: ColumnType<number, number | undefined, number>
    delivered: ColumnType<number, number | undefined, number>
    failed: ColumnType<number, number | undefined, number>
    unknown: ColumnType<number, number | undefined, number>
    withheld: ColumnType<number, number | undefined, number>
    cancelled: ColumnType<number, number | undefined, number>
    hundred_fen: number
    cost_fen: ColumnType<string, string | number | undefined, string | number>
    spent_fen: ColumnType<string, string | number | undefined, string | number>
    billed_parts: ColumnType<number, number | undefined, number>
    needs_approval: ColumnType<boolean, boolean | undefined, boolean>
    approver_id: ColumnType<string | null, string | number | null | undefined, string | number | null>
    status: ColumnType<'DRAFT' | 'SCHEDULED' | 'SENDING' | 'PAUSED' | 'DONE' | 'CANCELLED', 'DRAFT' | 'SCHEDULED' | 'SENDING' | 'PAUSED' | 'DONE' | 'CANCELLED' | undefined, 'DRAFT' | 'SCHEDULED' | 'SENDING' | 'PAUSED' | 'DONE' | 'CANCELLED'>
    start_at: ColumnType<string | null, Date | string | null | undefined, Date | string | null>
    started_at: ColumnType<string | null, Date | string | null | undefined, Date | string | null>
    ended_at: ColumnType<string | null, Date | string | null | undefined, Date | string | null>
    author_id: ColumnType<string, string | number, string | number>
    owner_id: ColumnType<string, string | number, string | number>
    org_id: ColumnType<string, string | number, string | number>
    created_at: ColumnType<string, Date | string, Date | string>
    version: ColumnType<number, number | undefined, number>
    sampled_at: ColumnType<string | null, Date | string | null | undefined, Date | string | null>
    of_teacher_id: ColumnType<string | null, string | number | null | undefined, string | number | null>
    package_id: ColumnType<string | null, string | number | null | undefined, string | number | null>
    ends_within: ColumnType<number | null, number | null | undefined, number | null>
    no_check_in_days: ColumnType<number | null, number | null | undefined, number | null>
    no_work_days: ColumnType<number | null, number | null | undefined, number | null>
    works_from: ColumnType<number | null, number | null | undefined, number | null>
    works_to: ColumnType<number | null, number | null | undefined, number | null>
    registered_from: ColumnType<string | null, string | null | undefined, string | null>
    registered_to: ColumnType<string | null, string | null | undefined, string | null>
    agreed: ColumnType<'GIVEN' | 'WITHDRAWN' | 'NONE' | null, 'GIVEN' | 'WITHDRAWN' | 'NONE' | null | undefined, 'GIVEN' | 'WITHDRAWN' | 'NONE' | null>
  }
  campaign_number: {
    id: GeneratedAlways<string>
    campaign_id: ColumnType<string, string | number, string | number>
    member_id: ColumnType<string, string | number, string | number>
    phone: string
    name: string
    parts: number
    billed_parts: ColumnType<number, number | undefined, number>
    status: 'WAITING' | 'SENDING' | 'SENT' | 'DELIVERED' | 'FAILED' | 'UNKNOWN' | 'WITHHELD' | 'CANCELLED'
    cause: ColumnType<'QUIET_HOURS' | 'NO_CONSENT' | 'OPTED_OUT' | 'OTHER_NUMBER' | 'LATELY' | 'NO_ADDRESS' | 'NO_ANSWER' | 'NOT_REACHED' | 'TOO_LATE' | 'BAD_ADDRESS' | 'BLOCKED' | 'LIMITED' | 'SWITCHED_OFF' | 'TEMPLATE' | 'ACCOUNT' | 'REJECTED' | 'LIST_NOT_AGREED' | null, 'QUIET_HOURS' | 'NO_CONSENT' | 'OPTED_OUT' | 'OTHER_NUMBER' | 'LATELY' | 'NO_ADDRESS' | 'NO_ANSWER' | 'NOT_REACHED' | 'TOO_LATE' | 'BAD_ADDRESS' | 'BLOCKED' | 'LIMITED' | 'SWITCHED_OFF' | 'TEMPLATE' | 'ACCOUNT' | 'REJECTED' | 'LIST_NOT_AGREED' | null | undefined, 'QUIET_HOURS' | 'NO_CONSENT' | 'OPTED_OUT' | 'OTHER_NUMBER' | 'LATELY' | 'NO_ADDRESS' | 'NO_ANSWER' | 'NOT_REACHED' | 'TOO_LATE' | 'BAD_ADDRESS' | 'BLOCKED' | 'LIMITED' | 'SWITCHED_OFF' | 'TEMPLATE' | 'ACCOUNT' | 'REJECTED' | 'LIST_NOT_AGREED' | null>
    state_since: ColumnType<string, Date | string, Date | string>
    attempt: ColumnType<number, number | undefined, number>
  }
  captcha: {
    key: string
    answer: ColumnType<string | null, string | null | undefined, string | null>
    expires_at: ColumnType<string, Date | string, Date | string>
  }
  channel: {
    id: GeneratedAlways<string>
    code: string
    name: string
    channel_group: ColumnType<string, string | undefined, string>
    keeper_id: ColumnType<string | null, string | number | null | undefined, string | number | null>
    link: ColumnType<string | null, string | null | undefined, string | null>
    auto_tags: ColumnType<string[], string[] | undefined, string[]>
    valid_from: ColumnType<string | null, string | null | undefined, string | null>
    valid_to: ColumnType<string | null, string | null | undefined, string | null>
    status: ColumnType<'ACTIVE' | 'PAUSED' | 'ENDED', 'ACTIVE' | 'PAUSED' | 'ENDED' | undefined, 'ACTIVE' | 'PAUSED' | 'ENDED'>
    leads: ColumnType<number, number | undefined, number>
    members: ColumnType<number, number | undefined, number>
    orders: ColumnType<number, number | undefined, number>
    gmv_fen: ColumnType<string, string | number | undefined, string | number>
    refunded_fen: ColumnType<string, string | number | undefined, string | number>
    counted_at: ColumnType<string | null, Date | string | null | undefined, Date | string | null>
    note: ColumnType<string, string | undefined, string>
    created_at: ColumnType<string, Date | string | undefined, Date | string>
    version: ColumnType<number, number | undefined, number>
  }
  chat_account: {
    id: GeneratedAlways<string>
    account_no: string
    nickname: string
    kind: 'WECOM' | 'WECHAT'
    status: ColumnType<'IDLE' | 'IN_USE' | 'LIMITED' | 'BLOCKED' | 'RETIRED', 'IDLE' | 'IN_USE' | 'LIMITED' | 'BLOCKED' | 'RETIRED' | undefined, 'IDLE' | 'IN_USE' | 'LIMITED' | 'BLOCKED' | 'RETIRED'>
    owner_id: ColumnType<string | null, string | number | null | undefined, string | number | null>
    org_id: ColumnType<string, string | number, string | number>
    owner_since: ColumnType<string | null, Date | string | null | undefined, Date | string | null>
    day_quota: number
    used_today: ColumnType<number, number | undefined, number>
    used_on: ColumnType<string | null, string | null | undefined, string | null>
    limited_until: ColumnType<string | null, Date | string | null | undefined, Date | string | null>
    risk: ColumnType<'NONE' | 'WATCH' | 'HIGH', 'NONE' | 'WATCH' | 'HIGH' | undefined, 'NONE' | 'WATCH' | 'HIGH'>
    risk_note: ColumnType<string, string | undefined, string>
    risk_since: ColumnType<string | null, Date | string | null | undefined, Date | string | null>
    link: ColumnType<string | null, string | null | undefined, string | null>
    qr: ColumnType<string[], string[] | undefined, string[]>
    created_at: ColumnType<string, Date | string, Date | string>
    version: ColumnType<number, number | undefined, number>
  }
  chat_account_add: {
    id: GeneratedAlways<string>
    account_id: ColumnType<string, string | number, string | number>
    staff_id: ColumnType<string, string | number, string | number>
    how: 'LEAD' | 'CONTACT'
    lead_id: ColumnType<string | null, string | number | null | undefined, string | number | null>
    contact_id: ColumnType<string | null, string | number | null | undefined, string | number | null>
    at: ColumnType<string, Date | string, Date | string>
  }
  chat_account_holder: {
    id: GeneratedAlways<string>
    account_id: ColumnType<string, string | number, string | number>
    staff_id: ColumnType<string, string | number, string | number>
    org_id: ColumnType<string, string | number, string | number>
    since: ColumnType<string, Date | string, Date | string>
    until: ColumnType<string | null, Date | string | null | undefined, Date | string | null>
    got: 'HANDED_OUT' | 'MOVED' | 'REQUESTED' | 'HANDED_OVER'
    by_id: ColumnType<string | null, string | number | null | undefined, string | number | null>
    end_kind: ColumnType<'MOVED' | 'RECLAIMED' | 'RETURNED' | 'HANDED_OVER' | 'LEFT' | null, 'MOVED' | 'RECLAIMED' | 'RETURNED' | 'HANDED_OVER' | 'LEFT' | null | undefined, 'MOVED' | 'RECLAIMED' | 'RETURNED' | 'HANDED_OVER' | 'LEFT' | null>
    ended_by_id: ColumnType<string | null, string | number | null | undefined, string | number | null>
  }
  chat_account_request: {
    id: GeneratedAlways<string>
    kind: 'OPEN' | 'TRANSFER' | 'RECOVER'
    status: ColumnType<'SUBMITTED' | 'L1_APPROVED' | 'APPROVED' | 'REJECTED' | 'WITHDRAWN' | 'EXPIRED', 'SUBMITTED' | 'L1_APPROVED' | 'APPROVED' | 'REJECTED' | 'WITHDRAWN' | 'EXPIRED' | undefined, 'SUBMITTED' | 'L1_APPROVED' | 'APPROVED' | 'REJECTED' | 'WITHDRAWN' | 'EXPIRED'>
    reason: string
    needs_l2: boolean
    applicant_id: ColumnType<string, string | number, string | number>
    l1_by: ColumnType<string | null, string | number | null | undefined, string | number | null>
    l2_by: ColumnType<string | null, string | number | null | undefined, string | number | null>
    created_at: ColumnType<string, Date | string, Date | string>
    state_since: ColumnType<string | null, Date | string | null | undefined, Date | string | null>
    expires_at: ColumnType<string | null, Date | string | null | undefined, Date | string | null>
    ended_at: ColumnType<string | null, Date | string | null | undefined, Date | string | null>
    version: ColumnType<number, number | undefined, number>
    request_no: string
    owner_id: ColumnType<string, string | number, string | number>
    org_id: ColumnType<string, string | number, string | number>
    account_kind: ColumnType<'WECOM' | 'WECHAT' | null, 'WECOM' | 'WECHAT' | null | undefined, 'WECOM' | 'WECHAT' | null>
    chat_account_id: ColumnType<string | null, string | number | null | undefined, string | number | null>
    holder_id: ColumnType<string | null, string | number | null | undefined, string | number | null>
    to_id: ColumnType<string | null, string | number | null | undefined, string | number | null>
    done_at: ColumnType<string | null, Date | string | null | undefined, Date | string | null>
    returned_at: ColumnType<string | null, Date | string | null | undefined, Date | string | null>
  }
  chat_contact: {
    id: GeneratedAlways<string>
    staff_id: ColumnType<string, string | number, string | number>
    member_id: ColumnType<string | null, string | number | null | undefined, string | number | null>
    external_id: string
    name: ColumnType<string | null, string | null | undefined, string | null>
    remark: ColumnType<string | null, string | null | undefined, string | null>
    add_way: string
    channel: ColumnType<string | null, string | null | undefined, string | null>
    since: ColumnType<string, Date | string, Date | string>
    status: ColumnType<'HELD' | 'ASKED' | 'UNKNOWN' | 'WAITING' | 'DONE' | 'REFUSED' | 'FULL' | 'NO_RECORD' | 'PROTECTED' | 'REJECTED' | 'LOST', 'HELD' | 'ASKED' | 'UNKNOWN' | 'WAITING' | 'DONE' | 'REFUSED' | 'FULL' | 'NO_RECORD' | 'PROTECTED' | 'REJECTED' | 'LOST' | undefined, 'HELD' | 'ASKED' | 'UNKNOWN' | 'WAITING' | 'DONE' | 'REFUSED' | 'FULL' | 'NO_RECORD' | 'PROTECTED' | 'REJECTED' | 'LOST'>
    successor_id: ColumnType<string | null, string | number | null | undefined, string | number | null>
    asked_at: ColumnType<string | null, Date | string | null | undefined, Date | string | null>
    effective_at: ColumnType<string | null, Date | string | null | undefined, Date | string | null>
    errcode: ColumnType<number | null, number | null | undefined, number | null>
    lost_at: ColumnType<string | null, Date | string | null | undefined, Date | string | null>
    lost_by: ColumnType<'CUSTOMER' | 'STAFF' | 'ERASURE' | null, 'CUSTOMER' | 'STAFF' | 'ERASURE' | null | undefined, 'CUSTOMER' | 'STAFF' | 'ERASURE' | null>
    created_at: ColumnType<string, Date | string, Date | string>
    version: ColumnType<number, number | undefined, number>
    unionid: ColumnType<string | null, string | null | undefined, string | null>
  }
  check_in: {
    id: GeneratedAlways<string>
    member_id: ColumnType<string, string | number, string | number>
    plan: string
    day: string
    day_no: ColumnType<number, number | undefined, number>
    streak: ColumnType<number, number | undefined, number>
    is_make_up: ColumnType<boolean, boolean | undefined, boolean>
    status: ColumnType<'DONE' | 'REQUESTED' | 'REJECTED', 'DONE' | 'REQUESTED' | 'REJECTED' | undefined, 'DONE' | 'REQUESTED' | 'REJECTED'>
    reason: ColumnType<string | null, string | null | undefined, string | null>
    work: ColumnType<string | null, string | null | undefined, string | null>
    reward_coins: ColumnType<number, number | undefined, number>
    quiet_since: ColumnType<string | null, string | null | undefined, string | null>
    told_at: ColumnType<string | null, Date | string | null | undefined, Date | string | null>
    submitted_at: ColumnType<string, Date | string, Date | string>
    owner_id: ColumnType<string | null, string | number | null | undefined, string | number | null>
    org_id: ColumnType<string | null, string | number | null | undefined, string | number | null>
    teacher_id: ColumnType<string | null, string | number | null | undefined, string | number | null>
    version: ColumnType<number, number | undefined, number>
  }
  code_batch: {
    id: GeneratedAlways<string>
    batch_no: string
    name: string
    buyer: string
    grants: unknown
    unit_price_fen: ColumnType<string, string | number | undefined, string | number>
    quantity: number
    made: ColumnType<number, number | undefined, number>
    used: ColumnType<number, number | undefined, number>
    voided: ColumnType<number, number | undefined, number>
    per_person: ColumnType<number, number | undefined, number>
    valid_from: string
    valid_to: string
    status: ColumnType<'DRAFT' | 'APPROVED' | 'ACTIVE' | 'PAUSED' | 'CLOSED' | 'REJECTED' | 'WITHDRAWN' | 'EXPIRED', 'DRAFT' | 'APPROVED' | 'ACTIVE' | 'PAUSED' | 'CLOSED' | 'REJECTED' | 'WITHDRAWN' | 'EXPIRED' | undefined, 'DRAFT' | 'APPROVED' | 'ACTIVE' | 'PAUSED' | 'CLOSED' | 'REJECTED' | 'WITHDRAWN' | 'EXPIRED'>
    applicant_id: ColumnType<string, string | number, string | number>
    l1_by: ColumnType<string | null, string | number | null | undefined, string | number | null>
    exported_by: ColumnType<string | null, string | number | null | undefined, string | number | null>
    exported_at: ColumnType<string | null, Date | string | null | undefined, Date | string | null>
    checksum: ColumnType<string | null, string | null | undefined, string | null>
    confirmed_at: ColumnType<string | null, Date | string | null | undefined, Date | string | null>
    created_at: ColumnType<string, Date | string | undefined, Date | string>
    version: ColumnType<number, number | undefined, number>
    expires_at: ColumnType<string | null, Date | string | null | undefined, Date | string | null>
    ended_at: ColumnType<string | null, Date | string | null | undefined, Date | string | null>
  }
  coin_goods: {
    id: GeneratedAlways<string>
    base_product_id: ColumnType<string, string | number, string | number>
    name: string
    coins: number
    cash_fen: ColumnType<string, string | number | undefined, string | number>
    quota: number
    sold: ColumnType<number, number | undefined, number>
    per_person: number
    status: ColumnType<'ON' | 'OFF', 'ON' | 'OFF' | undefined, 'ON' | 'OFF'>
    sort: ColumnType<number, number | undefined, number>
    created_at: ColumnType<string, Date | string | undefined, Date | string>
    version: ColumnType<number, number | undefined, number>
    picture: ColumnType<string[], string[] | undefined, string[]>
  }
  coin_order: {
    id: GeneratedAlways<string>
    order_no: string
    member_id: ColumnType<string, string | number, string | number>
    coin_goods_id: ColumnType<string, string | number, string | number>
    goods_name: string
    coins: number
    cash_fen: ColumnType<string, string | number | undefined, string | number>
    paid_fen: ColumnType<string, string | number | undefined, string | number>
    status: ColumnType<'WAITING' | 'APPROVED' | 'SENT' | 'DONE' | 'CANCELLED', 'WAITING' | 'APPROVED' | 'SENT' | 'DONE' | 'CANCELLED' | undefined, 'WAITING' | 'APPROVED' | 'SENT' | 'DONE' | 'CANCELLED'>
    receiver_name: string
    receiver_phone: string
    receiver_province: string
    receiver_address: string
    owner_id: ColumnType<string | null, string | number | null | undefined, string | number | null>
    org_id: ColumnType<string | null, string | number | null | undefined, string | number | null>
    created_at: ColumnType<string, Date | string | undefined, Date | string>
    version: ColumnType<number, number | undefined, number>
  }
  commission_entry: {
    id: GeneratedAlways<string>
    order_line_id: ColumnType<string, string | number, string | number>
    staff_id: ColumnType<string, string | number, string | number>
    cause: 'EARNED' | 'REVERSED'
    amount_fen: ColumnType<string, string | number, string | number>
    refund_id: ColumnType<string | null, string | number | null | undefined, string | number | null>
    created_at: ColumnType<string, Date | string, Date | string>
  }
  consent: {
    id: GeneratedAlways<string>
    member_id: ColumnType<string, string | number, string | number>
    purpose: 'PICTURE' | 'VOICE' | 'VIDEO' | 'DISPLAY' | 'MARKETING'
    act: 'GIVEN' | 'WITHDRAWN'
    stands: ColumnType<boolean, boolean | undefined, boolean>
    way: string
    said_by: string
    text_version: ColumnType<string | null, string | null | undefined, string | null>
    evidence: ColumnType<string | null, string | null | undefined, string | null>
    happened_at: ColumnType<string, Date | string, Date | string>
    staff_id: ColumnType<string | null, string | number | null | undefined, string | number | null>
    created_at: ColumnType<string, Date | string, Date | string>
    said_as: 'GUARDIAN' | 'PUPIL'
    proof: ColumnType<string[], string[] | undefined, string[]>
  }
  consultant: {
    id: GeneratedAlways<string>
    staff_id: ColumnType<string, string | number, string | number>
    owner_id: ColumnType<string, string | number, string | number>
    org_id: ColumnType<string, string | number, string | number>
    status: ColumnType<'ON' | 'PAUSED', 'ON' | 'PAUSED' | undefined, 'ON' | 'PAUSED'>
    paused_until: ColumnType<string | null, Date | string | null | undefined, Date | string | null>
    weight: ColumnType<number, number | undefined, number>
    daily_cap: ColumnType<number | null, number | null | undefined, number | null>
    open_cap: ColumnType<number | null, number | null | undefined, number | null>
    work_days: ColumnType<string[], string[] | undefined, string[]>
    work_from: ColumnType<number, number | undefined, number>
    work_to: ColumnType<number, number | undefined, number>
    received: ColumnType<number, number | undefined, number>
    contacted: ColumnType<number, number | undefined, number>
    claimed: ColumnType<number, number | undefined, number>
    unspoken: ColumnType<number, number | undefined, number>
    open_leads: ColumnType<number, number | undefined, number>
    target_fen: ColumnType<string | null, string | number | null | undefined, string | number | null>
    last_no: ColumnType<string, string | number | undefined, string | number>
    told: ColumnType<unknown | null, unknown | null | undefined, unknown | null>
    told_on: ColumnType<string | null, string | null | undefined, string | null>
    created_at: ColumnType<string, Date | string | undefined, Date | string>
    version: ColumnType<number, number | undefined, number>
  }
  consultant_target: {
    id: GeneratedAlways<string>
    consultant_id: ColumnType<string, string | number, string | number>
    month: string
    target_fen: ColumnType<string, string | number, string | number>
    staff_id: ColumnType<string | null, string | number | null | undefined, string | number | null>
    created_at: ColumnType<string, Date | string | undefined, Date | string>
  }
  contact_transfer: {
    id: GeneratedAlways<string>
    contact_id: ColumnType<string, string | number, string | number>
    from_id: ColumnType<string, string | number, string | number>
    to_id: ColumnType<string, string | number, string | number>
    by_id: ColumnType<string | null, string | number | null | undefined, string | number | null>
    is_leave: boolean
    status: 'ASKED' | 'UNKNOWN' | 'WAITING' | 'DONE' | 'REFUSED' | 'FULL' | 'NO_RECORD' | 'PROTECTED' | 'REJECTED'
    attempts: ColumnType<number, number | undefined, number>
    asked_at: ColumnType<string, Date | string, Date | string>
    called_at: ColumnType<string | null, Date | string | null | undefined, Date | string | null>
    effective_at: ColumnType<string | null, Date | string | null | undefined, Date | string | null>
    errcode: ColumnType<number | null, number | null | undefined, number | null>
    taken_id: ColumnType<string | null, string | number | null | undefined, string | number | null>
    ended_at: ColumnType<string | null, Date | string | null | undefined, Date | string | null>
  }
  coupon: {
    id: GeneratedAlways<string>
    name: string
    kind: 'CASH' | 'DISCOUNT'
    amount_fen: ColumnType<string, string | number, string | number>
    permille: ColumnType<number | null, number | null | undefined, number | null>
    threshold_fen: ColumnType<string, string | number | undefined, string | number>
    scope: ColumnType<'ALL' | 'PRODUCTS', 'ALL' | 'PRODUCTS' | undefined, 'ALL' | 'PRODUCTS'>
    product_ids: ColumnType<unknown, unknown | undefined, unknown>
    validity: 'FIXED' | 'AFTER_TAKING'
    valid_from: ColumnType<string | null, string | null | undefined, string | null>
    valid_to: ColumnType<string | null, string | null | undefined, string | null>
    valid_days: ColumnType<number | null, number | null | undefined, number | null>
    total: number
    taken: ColumnType<number, number | undefined, number>
    used: ColumnType<number, number | undefined, number>
    per_person: number
    status: ColumnType<'ACTIVE' | 'STOPPED', 'ACTIVE' | 'STOPPED' | undefined, 'ACTIVE' | 'STOPPED'>
    created_at: ColumnType<string, Date | string | undefined, Date | string>
    version: ColumnType<number, number | undefined, number>
  }
  course_edition: {
    id: GeneratedAlways<string>
    package_id: ColumnType<string, string | number, string | number>
    edition: ColumnType<number | null, number | null | undefined, number | null>
    published_by: ColumnType<string | null, string | number | null | undefined, string | number | null>
    published_at: ColumnType<string | null, Date | string | null | undefined, Date | string | null>
    state: 'DRAFT' | 'PUBLISHED' | 'SUPERSEDED' | 'DISCARDED'
    base: number
    restores: ColumnType<number | null, number | null | undefined, number | null>
    body: unknown
    drafted_by: ColumnType<string, string | number, string | number>
    drafted_at: ColumnType<string, Date | string, Date | string>
    authors: ColumnType<string[], string[] | undefined, string[]>
  }
  course_package: {
    id: GeneratedAlways<string>
    name: string
    stage: string
    days: number
    lessons: ColumnType<unknown, unknown | undefined, unknown>
    lesson_count: GeneratedAlways<number>
    edition: ColumnType<number, number | undefined, number>
    status: ColumnType<'DRAFT' | 'PUBLISHED' | 'CHANGED', 'DRAFT' | 'PUBLISHED' | 'CHANGED' | undefined, 'DRAFT' | 'PUBLISHED' | 'CHANGED'>
    created_at: ColumnType<string, Date | string | undefined, Date | string>
    version: ColumnType<number, number | undefined, number>
  }
  course_taken: {
    id: GeneratedAlways<string>
    member_id: ColumnType<string, string | number, string | number>
    package_id: ColumnType<string, string | number, string | number>
    edition_id: ColumnType<string, string | number, string | number>
    owner_id: ColumnType<string | null, string | number | null | undefined, string | number | null>
    org_id: ColumnType<string | null, string | number | null | undefined, string | number | null>
    owner_then: ColumnType<string | null, string | number | null | undefined, string | number | null>
    lessons: number
    finished: ColumnType<number, number | undefined, number>
    percent: GeneratedAlways<number>
    begun_at: ColumnType<string, Date | string, Date | string>
    begun_day: GeneratedAlways<string>
    half_at: ColumnType<string | null, Date | string | null | undefined, Date | string | null>
    finished_at: ColumnType<string | null, Date | string | null | undefined, Date | string | null>
    paid_at: ColumnType<string | null, Date | string | null | undefined, Date | string | null>
    paid_fen: ColumnType<string | null, string | number | null | undefined, string | number | null>
    reached: GeneratedAlways<'BEGUN' | 'HALF' | 'FINISHED' | 'PAID'>
    version: ColumnType<number, number | undefined, number>
  }
  dictionary_item: {
    id: GeneratedAlways<string>
    type_id: ColumnType<string, string | number, string | number>
    value: string
    colour: ColumnType<string | null, string | null | undefined, string | null>
    sort: number
    enabled: ColumnType<boolean, boolean | undefined, boolean>
    labels: ColumnType<unknown, unknown | undefined, unknown>
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
  distribution_order: {
    id: GeneratedAlways<string>
    partner_id: ColumnType<string, string | number, string | number>
    order_id: ColumnType<string, string | number, string | number>
    member_id: ColumnType<string, string | number, string | number>
    owner_id: ColumnType<string | null, string | number | null | undefined, string | number | null>
    org_id: ColumnType<string | null, string | number | null | undefined, string | number | null>
    channel: string
    link_id: ColumnType<string | null, string | number | null | undefined, string | number | null>
    paid_at: ColumnType<string, Date | string, Date | string>
    paid_day: GeneratedAlways<string>
    paid_fen: ColumnType<string, string | number, string | number>
    refunded_fen: ColumnType<string, string | number | undefined, string | number>
    is_refunded: GeneratedAlways<boolean>
    entry: ColumnType<'WAITING' | 'COUNTED' | 'FROZEN' | 'REFUNDED' | 'OVER_CAP' | 'TOO_LATE' | 'NO_PRICE' | 'DUPLICATE' | 'OLD_MEMBER' | 'OWN_STAFF', 'WAITING' | 'COUNTED' | 'FROZEN' | 'REFUNDED' | 'OVER_CAP' | 'TOO_LATE' | 'NO_PRICE' | 'DUPLICATE' | 'OLD_MEMBER' | 'OWN_STAFF' | undefined, 'WAITING' | 'COUNTED' | 'FROZEN' | 'REFUNDED' | 'OVER_CAP' | 'TOO_LATE' | 'NO_PRICE' | 'DUPLICATE' | 'OLD_MEMBER' | 'OWN_STAFF'>
    part: GeneratedAlways<'OPEN' | 'COUNTED' | 'NOT_COUNTED'>
    kind: ColumnType<'FIRST_ORDER' | 'SHARE' | null, 'FIRST_ORDER' | 'SHARE' | null | undefined, 'FIRST_ORDER' | 'SHARE' | null>
    price_fen: ColumnType<string | null, string | number | null | undefined, string | number | null>
    share_permille: ColumnType<number | null, number | null | undefined, number | null>
    commission_fen: ColumnType<string, string | number | undefined, string | number>
    statement_id: ColumnType<string | null, string | number | null | undefined, string | number | null>
    judged_at: ColumnType<string | null, Date | string | null | undefined, Date | string | null>
    version: ColumnType<number, number | undefined, number>
  }
  entitlement_entry: {
    id: GeneratedAlways<string>
    lot_id: ColumnType<string, string | number, string | number>
    member_id: ColumnType<string, string | number, string | number>
    kind: string
    cause: 'GRANTED' | 'SPENT' | 'GIVEN_BACK' | 'TAKEN_BACK' | 'EXPIRED'
    delta: number
    balance_after: number
    note: ColumnType<string, string | undefined, string>
    refund_id: ColumnType<string | null, string | number | null | undefined, string | number | null>
    coin_order_id: ColumnType<string | null, string | number | null | undefined, string | number | null>
    staff_id: ColumnType<string | null, string | number | null | undefined, string | number | null>
    created_at: ColumnType<string, Date | string, Date | string>
  }
  entitlement_lot: {
    id: GeneratedAlways<string>
    member_id: ColumnType<string, string | number, string | number>
    kind: 'MEMBER_DAYS' | 'COURSE' | 'LESSONS' | 'COINS' | 'APPOINTMENTS'
    source: 'ORDER' | 'CODE' | 'GIFT' | 'REWARD'
    order_line_id: ColumnType<string | null, string | number | null | undefined, string | number | null>
    redemption_id: ColumnType<string | null, string | number | null | undefined, string | number | null>
    name: string
    quantity: number
    remaining: number
    frozen: ColumnType<number, number | undefined, number>
    edition_id: ColumnType<string | null, string | number | null | undefined, string | number | null>
    granted_on: string
    expires_on: ColumnType<string | null, string | null | undefined, string | null>
    created_at: ColumnType<string, Date | string, Date | string>
    application_id: ColumnType<string | null, string | number | null | undefined, string | number | null>
    reward_key: ColumnType<string | null, string | null | undefined, string | null>
    held: ColumnType<boolean, boolean | undefined, boolean>
  }
  entitlement_pause: {
    id: GeneratedAlways<string>
    member_id: ColumnType<string, string | number, string | number>
    application_id: ColumnType<string, string | number, string | number>
    starts_on: string
    ends_on: string
    created_at: ColumnType<string, Date | string, Date | string>
  }
  erasure: {
    member_id: ColumnType<string, string | number, string | number>
    phone_hash: string
    erased_at: ColumnType<string, Date | string, Date | string>
    gone_over: ColumnType<number, number | undefined, number>
  }
  erasure_heard: {
    member_id: ColumnType<string, string | number, string | number>
    erased_at: ColumnType<string, Date | string, Date | string>
  }
  file: {
    id: ColumnType<string, string | undefined, string>
    purpose: string
    name: string
    type: string
    bytes: number
    sha256: string
    owner_id: ColumnType<string | null, string | number | null | undefined, string | number | null>
    page: ColumnType<string | null, string | null | undefined, string | null>
    record_id: ColumnType<string | null, string | number | null | undefined, string | number | null>
    created_at: ColumnType<string, Date | string, Date | string>
    source: ColumnType<string | null, string | null | undefined, string | null>
    small_of: ColumnType<string | null, string | null | undefined, string | null>
  }
  file_unkept: {
    id: string
    at: ColumnType<string, Date | string | undefined, Date | string>
  }
  follow_up: {
    id: GeneratedAlways<string>
    member_id: ColumnType<string | null, string | number | null | undefined, string | number | null>
    kind: string
    content: string
    next_at: ColumnType<string | null, Date | string | null | undefined, Date | string | null>
    staff_id: ColumnType<string, string | number, string | number>
    created_at: ColumnType<string, Date | string, Date | string>
    lead_id: ColumnType<string | null, string | number | null | undefined, string | number | null>
    picture: ColumnType<string[], string[] | undefined, string[]>
  }
  goods_kit: {
    id: GeneratedAlways<string>
    code: string
    name: string
    weight_g: number
    parts: unknown
    created_at: ColumnType<string, Date | string | undefined, Date | string>
    version: ColumnType<number, number | undefined, number>
    edition: ColumnType<number, number | undefined, number>
    status: ColumnType<'DRAFT' | 'PUBLISHED' | 'CHANGED', 'DRAFT' | 'PUBLISHED' | 'CHANGED' | undefined, 'DRAFT' | 'PUBLISHED' | 'CHANGED'>
  }
  goods_kit_edition: {
    id: GeneratedAlways<string>
    kit_id: ColumnType<string, string | number, string | number>
    edition: ColumnType<number | null, number | null | undefined, number | null>
    state: 'DRAFT' | 'PUBLISHED' | 'SUPERSEDED' | 'DISCARDED'
    base: number
    restores: ColumnType<number | null, number | null | undefined, number | null>
    body: unknown
    drafted_by: ColumnType<string, string | number, string | number>
    drafted_at: ColumnType<string, Date | string, Date | string>
    published_by: ColumnType<string | null, string | number | null | undefined, string | number | null>
    published_at: ColumnType<string | null, Date | string | null | undefined, Date | string | null>
    authors: ColumnType<string[], string[] | undefined, string[]>
  }
  idempotency: {
    actor_id: ColumnType<string, string | number, string | number>
    key: string
    route: string
    body_hash: string
    answer: unknown
    created_at: ColumnType<string, Date | string, Date | string>
  }
  import_batch: {
    id: GeneratedAlways<string>
    page: string
    title: string
    file_id: string
    head: unknown
    mapping: ColumnType<unknown, unknown | undefined, unknown>
    status: ColumnType<'UPLOADED' | 'CHECKED' | 'RUNNING' | 'DONE' | 'UNDONE', 'UPLOADED' | 'CHECKED' | 'RUNNING' | 'DONE' | 'UNDONE' | undefined, 'UPLOADED' | 'CHECKED' | 'RUNNING' | 'DONE' | 'UNDONE'>
    task_id: ColumnType<string | null, string | number | null | undefined, string | number | null>
    all_rows: ColumnType<number, number | undefined, number>
    good_rows: ColumnType<number, number | undefined, number>
    bad_rows: ColumnType<number, number | undefined, number>
    done_rows: ColumnType<number, number | undefined, number>
    failed_rows: ColumnType<number, number | undefined, number>
    run_to: ColumnType<number, number | undefined, number>
    staff_id: ColumnType<string, string | number, string | number>
    created_at: ColumnType<string, Date | string, Date | string>
    ended_at: ColumnType<string | null, Date | string | null | undefined, Date | string | null>
    checksum: ColumnType<string | null, string | null | undefined, string | null>
    said: ColumnType<unknown, unknown | undefined, unknown>
  }
  import_chunk: {
    batch_id: ColumnType<string, string | number, string | number>
    last_row: number
    record_ids: string[]
  }
  import_row: {
    batch_id: ColumnType<string, string | number, string | number>
    status: 'GOOD' | 'BAD' | 'FAILED'
    row_no: number
    cells: unknown
    error: ColumnType<unknown | null, unknown | null | undefined, unknown | null>
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
    fingerprint: ColumnType<string | null, string | null | undefined, string | null>
    outcome: ColumnType<'WAITING' | 'APPLIED' | 'REFUSED' | 'FAILED', 'WAITING' | 'APPLIED' | 'REFUSED' | 'FAILED' | undefined, 'WAITING' | 'APPLIED' | 'REFUSED' | 'FAILED'>
    awaits: ColumnType<string | null, string | null | undefined, string | null>
  }
  job_position: {
    id: GeneratedAlways<string>
    name: string
    code: string
    grade: ColumnType<string | null, string | null | undefined, string | null>
    is_virtual: ColumnType<boolean, boolean | undefined, boolean>
    note: ColumnType<string, string | undefined, string>
    status: ColumnType<'ENABLED' | 'DISABLED', 'ENABLED' | 'DISABLED' | undefined, 'ENABLED' | 'DISABLED'>
    created_at: ColumnType<string, Date | string | undefined, Date | string>
    version: ColumnType<number, number | undefined, number>
  }
  kept_count: {
    table_name: string
    org_id: ColumnType<string | null, string | number | null | undefined, string | number | null>
    owner_id: ColumnType<string | null, string | number | null | undefined, string | number | null>
    state: string
    n: ColumnType<string, string | number, string | number>
    carer_id: ColumnType<string | null, string | number | null | undefined, string | number | null>
  }
  lead: {
    id: GeneratedAlways<string>
    phone: ColumnType<string | null, string | null | undefined, string | null>
    name: ColumnType<string | null, string | null | undefined, string | null>
    source: string
    channel: string
    came_by: 'REGISTRATION' | 'IMPORT' | 'FORM' | 'PLATFORM_ORDER'
    consent: string
    status: 'UNASSIGNED' | 'ASSIGNED' | 'CONTACTED' | 'ADDED' | 'TRIAL' | 'INTENT' | 'DEAL' | 'INVALID' | 'LOST' | 'RETURNED'
    owner_id: ColumnType<string | null, string | number | null | undefined, string | number | null>
    org_id: ColumnType<string | null, string | number | null | undefined, string | number | null>
    owner_since: ColumnType<string | null, Date | string | null | undefined, Date | string | null>
    member_id: ColumnType<string | null, string | number | null | undefined, string | number | null>
    next_at: ColumnType<string | null, Date | string | null | undefined, Date | string | null>
    last_touch_at: ColumnType<string, Date | string, Date | string>
    created_at: ColumnType<string, Date | string, Date | string>
    state_since: ColumnType<string | null, Date | string | null | undefined, Date | string | null>
    ended_at: ColumnType<string | null, Date | string | null | undefined, Date | string | null>
    version: ColumnType<number, number | undefined, number>
    registered_at: ColumnType<string | null, Date | string | null | undefined, Date | string | null>
    level: ColumnType<'A' | 'B' | 'C' | 'D' | null, 'A' | 'B' | 'C' | 'D' | null | undefined, 'A' | 'B' | 'C' | 'D' | null>
    first_contact_at: ColumnType<string | null, Date | string | null | undefined, Date | string | null>
    last_contact_at: ColumnType<string | null, Date | string | null | undefined, Date | string | null>
    times_returned: ColumnType<number, number | undefined, number>
    return_reason: ColumnType<string | null, string | null | undefined, string | null>
    previous_owner_id: ColumnType<string | null, string | number | null | undefined, string | number | null>
    end_reason: ColumnType<string | null, string | null | undefined, string | null>
    pool_id: ColumnType<string | null, string | number | null | undefined, string | number | null>
    pooled_at: ColumnType<string | null, Date | string | null | undefined, Date | string | null>
    warned_at: ColumnType<string | null, Date | string | null | undefined, Date | string | null>
    link_id: ColumnType<string | null, string | number | null | undefined, string | number | null>
    called: GeneratedAlways<string>
    furthest: ColumnType<'CAME' | 'ADDED' | 'REGISTERED' | 'TRIED' | 'PAID', 'CAME' | 'ADDED' | 'REGISTERED' | 'TRIED' | 'PAID' | undefined, 'CAME' | 'ADDED' | 'REGISTERED' | 'TRIED' | 'PAID'>
    created_day: GeneratedAlways<string | null>
    product_id: ColumnType<string | null, string | number | null | undefined, string | number | null>
    unionid: ColumnType<string | null, string | null | undefined, string | null>
    last_pool_id: ColumnType<string | null, string | number | null | undefined, string | number | null>
    escalated_at: ColumnType<string | null, Date | string | null | undefined, Date | string | null>
    answer_by: ColumnType<string | null, Date | string | null | undefined, Date | string | null>
    reminded_for: ColumnType<string | null, Date | string | null | undefined, Date | string | null>
  }
  lead_act: {
    id: GeneratedAlways<string>
    lead_id: ColumnType<string, string | number, string | number>
    owner_id: ColumnType<string, string | number, string | number>
    org_id: ColumnType<string, string | number, string | number>
    act: 'FOLLOW_UP' | 'CLAIM' | 'ADD' | 'JUDGE' | 'ASSIGN' | 'GIVE_BACK' | 'LOSE' | 'DISMISS'
    way: ColumnType<string | null, string | null | undefined, string | null>
    done_at: ColumnType<string, Date | string, Date | string>
    done_day: GeneratedAlways<string>
    hour: GeneratedAlways<number>
    version: ColumnType<number, number | undefined, number>
  }
  lead_forgetting: {
    phone: string
    known: string[]
    asked_at: ColumnType<string, Date | string, Date | string>
  }
  lead_form: {
    id: GeneratedAlways<string>
    form_no: string
    kind: 'FORM' | 'MESSAGE'
    phone: ColumnType<string | null, string | null | undefined, string | null>
    name: ColumnType<string | null, string | null | undefined, string | null>
    city: ColumnType<string | null, string | null | undefined, string | null>
    account: ColumnType<string | null, string | null | undefined, string | null>
    note_id: ColumnType<string | null, string | number | null | undefined, string | number | null>
    campaign: ColumnType<string | null, string | null | undefined, string | null>
    unit: ColumnType<string | null, string | null | undefined, string | null>
    creativity: ColumnType<string | null, string | null | undefined, string | null>
    page: ColumnType<string | null, string | null | undefined, string | null>
    answers: ColumnType<unknown, unknown | undefined, unknown>
    lead_id: ColumnType<string | null, string | number | null | undefined, string | number | null>
    is_new: ColumnType<boolean, boolean | undefined, boolean>
    owner_id: ColumnType<string | null, string | number | null | undefined, string | number | null>
    org_id: ColumnType<string | null, string | number | null | undefined, string | number | null>
    follow_status: ColumnType<'KNOWN' | 'UNASSIGNED' | 'RETURNED' | 'ASSIGNED' | 'CONTACTED' | 'ADDED' | 'TRIAL' | 'INTENT' | 'DEAL' | 'LOST' | 'INVALID', 'KNOWN' | 'UNASSIGNED' | 'RETURNED' | 'ASSIGNED' | 'CONTACTED' | 'ADDED' | 'TRIAL' | 'INTENT' | 'DEAL' | 'LOST' | 'INVALID' | undefined, 'KNOWN' | 'UNASSIGNED' | 'RETURNED' | 'ASSIGNED' | 'CONTACTED' | 'ADDED' | 'TRIAL' | 'INTENT' | 'DEAL' | 'LOST' | 'INVALID'>
    call_back: ColumnType<'NONE' | 'WAITING' | 'SENT' | 'FAILED' | 'UNKNOWN', 'NONE' | 'WAITING' | 'SENT' | 'FAILED' | 'UNKNOWN' | undefined, 'NONE' | 'WAITING' | 'SENT' | 'FAILED' | 'UNKNOWN'>
    sending_at: ColumnType<string | null, Date | string | null | undefined, Date | string | null>
    called_back_at: ColumnType<string | null, Date | string | null | undefined, Date | string | null>
    call_back_error: ColumnType<string | null, string | null | undefined, string | null>
    submitted_at: ColumnType<string, Date | string, Date | string>
    created_at: ColumnType<string, Date | string, Date | string>
    version: ColumnType<number, number | undefined, number>
  }
  lead_judgement: {
    id: GeneratedAlways<string>
    lead_id: ColumnType<string, string | number, string | number>
    owner_id: ColumnType<string, string | number, string | number>
    org_id: ColumnType<string, string | number, string | number>
    was: 'NONE' | 'A' | 'B' | 'C' | 'D'
    level: 'A' | 'B' | 'C' | 'D'
    source: string
    channel: string
    judged_at: ColumnType<string, Date | string, Date | string>
    judged_day: GeneratedAlways<string>
    days_old: number
    is_last: ColumnType<boolean, boolean | undefined, boolean>
    turn: GeneratedAlways<'FIRST' | 'RAISED' | 'LOWERED'>
    version: ColumnType<number, number | undefined, number>
  }
  lead_owner: {
    id: GeneratedAlways<string>
    lead_id: ColumnType<string, string | number, string | number>
    owner_id: ColumnType<string, string | number, string | number>
    org_id: ColumnType<string, string | number, string | number>
    since: ColumnType<string, Date | string, Date | string>
    until: ColumnType<string | null, Date | string | null | undefined, Date | string | null>
    got: 'ALLOCATED' | 'ASSIGNED' | 'HANDED_OVER' | 'CLAIMED'
    by_id: ColumnType<string | null, string | number | null | undefined, string | number | null>
    ended_by_id: ColumnType<string | null, string | number | null | undefined, string | number | null>
    end_kind: ColumnType<'MOVED' | 'HANDED_OVER' | 'RETURNED' | 'EXPIRED' | 'DEAL' | 'LOST' | 'INVALID' | null, 'MOVED' | 'HANDED_OVER' | 'RETURNED' | 'EXPIRED' | 'DEAL' | 'LOST' | 'INVALID' | null | undefined, 'MOVED' | 'HANDED_OVER' | 'RETURNED' | 'EXPIRED' | 'DEAL' | 'LOST' | 'INVALID' | null>
    end_reason: ColumnType<string | null, string | null | undefined, string | null>
    source: string
    channel: string
    contacted_at: ColumnType<string | null, Date | string | null | undefined, Date | string | null>
    added_at: ColumnType<string | null, Date | string | null | undefined, Date | string | null>
    tried_at: ColumnType<string | null, Date | string | null | undefined, Date | string | null>
    keen_at: ColumnType<string | null, Date | string | null | undefined, Date | string | null>
    deal_fen: ColumnType<string | null, string | number | null | undefined, string | number | null>
    sold_by: GeneratedAlways<string>
    since_day: GeneratedAlways<string>
    prompt: ColumnType<boolean, boolean | undefined, boolean>
    reached: GeneratedAlways<'ASSIGNED' | 'CONTACTED' | 'ADDED' | 'TRIAL' | 'INTENT' | 'DEAL'>
    days_to_deal: GeneratedAlways<number | null>
    version: ColumnType<number, number | undefined, number>
    sold_org_id: GeneratedAlways<string>
  }
  lead_pool: {
    id: GeneratedAlways<string>
    name: string
    is_default: ColumnType<boolean, boolean | undefined, boolean>
    is_open: ColumnType<boolean, boolean | undefined, boolean>
    claims_a_day: ColumnType<number, number | undefined, number>
    capacity: ColumnType<number, number | undefined, number>
    spares_trial: ColumnType<boolean, boolean | undefined, boolean>
    cool_down_days: ColumnType<number, number | undefined, number>
    embargo_hours: ColumnType<number, number | undefined, number>
    no_contact_days: ColumnType<number | null, number | null | undefined, number | null>
    no_deal_days: ColumnType<number | null, number | null | undefined, number | null>
    needs_both: ColumnType<boolean, boolean | undefined, boolean>
    spared_levels: ColumnType<string[], string[] | undefined, string[]>
    warn_days: ColumnType<number, number | undefined, number>
    version: ColumnType<number, number | undefined, number>
    created_at: ColumnType<string, Date | string | undefined, Date | string>
    state: GeneratedAlways<string | null>
    views_a_day: ColumnType<number, number | undefined, number>
    unclaimed_hours: ColumnType<number | null, number | null | undefined, number | null>
    unanswered_hours: ColumnType<number | null, number | null | undefined, number | null>
    returns_to_id: ColumnType<string | null, string | number | null | undefined, string | number | null>
    uncounted_levels: ColumnType<string[], string[] | undefined, string[]>
    no_contact_days_a: ColumnType<number | null, number | null | undefined, number | null>
    no_contact_days_b: ColumnType<number | null, number | null | undefined, number | null>
    no_contact_days_c: ColumnType<number | null, number | null | undefined, number | null>
    no_contact_days_d: ColumnType<number | null, number | null | undefined, number | null>
  }
  lead_pool_extra: {
    request_id: ColumnType<string, string | number, string | number>
    pool_id: ColumnType<string, string | number, string | number>
    staff_id: ColumnType<string, string | number, string | number>
    day: string
    extra: number
  }
  lead_pool_member: {
    pool_id: ColumnType<string, string | number, string | number>
    staff_id: ColumnType<string, string | number, string | number>
    is_admin: ColumnType<boolean, boolean | undefined, boolean>
  }
  lead_taken_back: {
    owner_id: ColumnType<string, string | number, string | number>
    day: string
    received: number
  }
  lead_touch: {
    id: GeneratedAlways<string>
    lead_id: ColumnType<string | null, string | number | null | undefined, string | number | null>
    key: string
    came_by: 'REGISTRATION' | 'IMPORT' | 'FORM' | 'LINK' | 'PLATFORM_ORDER'
    source: string
    channel: string
    consent: string
    times: ColumnType<number, number | undefined, number>
    first_at: ColumnType<string, Date | string, Date | string>
    last_at: ColumnType<string, Date | string, Date | string>
    member_id: ColumnType<string | null, string | number | null | undefined, string | number | null>
    about: ColumnType<string | null, string | null | undefined, string | null>
    product_id: ColumnType<string | null, string | number | null | undefined, string | number | null>
  }
  lead_view: {
    staff_id: ColumnType<string, string | number, string | number>
    day: string
    lead_id: ColumnType<string, string | number, string | number>
  }
  lesson_taken: {
    id: GeneratedAlways<string>
    member_id: ColumnType<string, string | number, string | number>
    lesson: string
    title: string
    kind: 'LIVE' | 'RECORDED'
    percent: number
    status: 'BEGUN' | 'COUNTED' | 'FREE'
    begun_at: ColumnType<string, Date | string, Date | string>
    last_at: ColumnType<string, Date | string, Date | string>
    counted_at: ColumnType<string | null, Date | string | null | undefined, Date | string | null>
    package_id: ColumnType<string | null, string | number | null | undefined, string | number | null>
  }
  line_taken_back: {
    line_id: ColumnType<string, string | number, string | number>
    by_id: ColumnType<string, string | number, string | number>
  }
  log_erased: {
    line_id: ColumnType<string, string | number, string | number>
    digests: unknown
    salts: ColumnType<unknown, unknown | undefined, unknown>
  }
  log_head: {
    is_only: ColumnType<boolean, boolean | undefined, boolean>
    seal_id: ColumnType<string, string | number, string | number>
    hash: string
    line_id: ColumnType<string, string | number, string | number>
  }
  log_seal: {
    id: ColumnType<string, string | number, string | number>
    kind: 'LINES' | 'DROPPED'
    keep: 'SHORT' | 'LONG'
    month: string
    from_id: ColumnType<string, string | number, string | number>
    to_id: ColumnType<string, string | number, string | number>
    lines: number
    lines_hash: string
    hash: string
    sealed_at: ColumnType<string, Date | string, Date | string>
    marks: ColumnType<Buffer | null, Buffer | null | undefined, Buffer | null>
  }
  login_trace: {
    id: ColumnType<string, string | number | undefined, string | number>
    at: ColumnType<string, Date | string, Date | string>
    staff_id: ColumnType<string | null, string | number | null | undefined, string | number | null>
    account: string
    address: string
    device: string
    result: 'SUCCESS' | 'CAPTCHA' | 'CREDENTIALS' | 'SECOND_STEP' | 'CODE' | 'LOCKED' | 'DISABLED'
    session_id: ColumnType<string | null, string | number | null | undefined, string | number | null>
    ended_at: ColumnType<string | null, Date | string | null | undefined, Date | string | null>
    end_reason: ColumnType<'LOGOUT' | 'FORCED' | 'DISABLED' | 'PASSWORD' | 'EXPIRED' | null, 'LOGOUT' | 'FORCED' | 'DISABLED' | 'PASSWORD' | 'EXPIRED' | null | undefined, 'LOGOUT' | 'FORCED' | 'DISABLED' | 'PASSWORD' | 'EXPIRED' | null>
    online: GeneratedAlways<boolean>
    version: ColumnType<number, number | undefined, number>
  }
  member: {
    id: GeneratedAlways<string>
    name: string
    name_pinyin: ColumnType<string, string | undefined, string>
    phone: ColumnType<string | null, string | null | undefined, string | null>
    guardian_name: ColumnType<string | null, string | null | undefined, string | null>
    level: ColumnType<'TRIAL' | 'MEMBER' | 'EXPIRED', 'TRIAL' | 'MEMBER' | 'EXPIRED' | undefined, 'TRIAL' | 'MEMBER' | 'EXPIRED'>
    source: string
    owner_id: ColumnType<string | null, string | number | null | undefined, string | number | null>
    org_id: ColumnType<string | null, string | number | null | undefined, string | number | null>
    created_at: ColumnType<string, Date | string | undefined, Date | string>
    version: ColumnType<number, number | undefined, number>
    status: ColumnType<'ACTIVE' | 'FROZEN' | 'CLOSED', 'ACTIVE' | 'FROZEN' | 'CLOSED' | undefined, 'ACTIVE' | 'FROZEN' | 'CLOSED'>
    channel: ColumnType<string, string | undefined, string>
    teacher_id: ColumnType<string | null, string | number | null | undefined, string | number | null>
    owner_since: ColumnType<string | null, Date | string | null | undefined, Date | string | null>
    tags: ColumnType<string[], string[] | undefined, string[]>
    membership_ends_on: ColumnType<string | null, string | null | undefined, string | null>
    coins: ColumnType<number, number | undefined, number>
    last_check_in_at: ColumnType<string | null, Date | string | null | undefined, Date | string | null>
    last_work_at: ColumnType<string | null, Date | string | null | undefined, Date | string | null>
    name_initials: ColumnType<string | null, string | null | undefined, string | null>
    birth_month: ColumnType<string | null, string | null | undefined, string | null>
    is_paused: ColumnType<boolean, boolean | undefined, boolean>
    first_paid_at: ColumnType<string | null, Date | string | null | undefined, Date | string | null>
    first_paid_day: GeneratedAlways<string | null>
    credit_days: ColumnType<number | null, number | null | undefined, number | null>
    credited_source: ColumnType<string | null, string | null | undefined, string | null>
    credited_channel: ColumnType<string | null, string | null | undefined, string | null>
    origin_corrected_at: ColumnType<string | null, Date | string | null | undefined, Date | string | null>
    origin_corrected_by_id: ColumnType<string | null, string | number | null | undefined, string | number | null>
    entered_source: ColumnType<string | null, string | null | undefined, string | null>
    entered_channel: ColumnType<string | null, string | null | undefined, string | null>
    former_phones: ColumnType<string[], string[] | undefined, string[]>
  }
  member_application: {
    id: GeneratedAlways<string>
    kind: 'GIFT' | 'PHONE' | 'PAUSE' | 'CLOSE'
    status: ColumnType<'SUBMITTED' | 'L1_APPROVED' | 'APPROVED' | 'REJECTED' | 'WITHDRAWN' | 'EXPIRED', 'SUBMITTED' | 'L1_APPROVED' | 'APPROVED' | 'REJECTED' | 'WITHDRAWN' | 'EXPIRED' | undefined, 'SUBMITTED' | 'L1_APPROVED' | 'APPROVED' | 'REJECTED' | 'WITHDRAWN' | 'EXPIRED'>
    reason: string
    needs_l2: boolean
    applicant_id: ColumnType<string, string | number, string | number>
    l1_by: ColumnType<string | null, string | number | null | undefined, string | number | null>
    l2_by: ColumnType<string | null, string | number | null | undefined, string | number | null>
    created_at: ColumnType<string, Date | string, Date | string>
    state_since: ColumnType<string | null, Date | string | null | undefined, Date | string | null>
    expires_at: ColumnType<string | null, Date | string | null | undefined, Date | string | null>
    ended_at: ColumnType<string | null, Date | string | null | undefined, Date | string | null>
    version: ColumnType<number, number | undefined, number>
    application_no: string
    member_id: ColumnType<string, string | number, string | number>
    owner_id: ColumnType<string | null, string | number | null | undefined, string | number | null>
    org_id: ColumnType<string | null, string | number | null | undefined, string | number | null>
    gift_kind: ColumnType<'DAYS' | 'COINS' | 'COUPON' | null, 'DAYS' | 'COINS' | 'COUPON' | null | undefined, 'DAYS' | 'COINS' | 'COUPON' | null>
    quantity: ColumnType<number | null, number | null | undefined, number | null>
    coupon_id: ColumnType<string | null, string | number | null | undefined, string | number | null>
    allowance_left: ColumnType<number | null, number | null | undefined, number | null>
    given_lately: ColumnType<number | null, number | null | undefined, number | null>
    new_phone: ColumnType<string | null, string | null | undefined, string | null>
    proof: ColumnType<string[], string[] | undefined, string[]>
    closes_at: ColumnType<string | null, Date | string | null | undefined, Date | string | null>
    closed_at: ColumnType<string | null, Date | string | null | undefined, Date | string | null>
    pause_from: ColumnType<string | null, string | null | undefined, string | null>
    pause_days: ColumnType<number | null, number | null | undefined, number | null>
    paused_until: ColumnType<string | null, string | null | undefined, string | null>
    pause_over_at: ColumnType<string | null, Date | string | null | undefined, Date | string | null>
  }
  member_coupon: {
    id: GeneratedAlways<string>
    coupon_id: ColumnType<string, string | number, string | number>
    member_id: ColumnType<string, string | number, string | number>
    rule: unknown
    status: ColumnType<'UNUSED' | 'USED' | 'EXPIRED' | 'RECALLED', 'UNUSED' | 'USED' | 'EXPIRED' | 'RECALLED' | undefined, 'UNUSED' | 'USED' | 'EXPIRED' | 'RECALLED'>
    order_id: ColumnType<string | null, string | number | null | undefined, string | number | null>
    issued_by: ColumnType<string | null, string | number | null | undefined, string | number | null>
    taken_at: ColumnType<string, Date | string, Date | string>
    valid_from: string
    valid_to: string
    used_at: ColumnType<string | null, Date | string | null | undefined, Date | string | null>
    freed_from: ColumnType<string[], string[] | undefined, string[]>
    application_id: ColumnType<string | null, string | number | null | undefined, string | number | null>
  }
  member_identity: {
    kind: 'UNIONID' | 'STATE'
    value: string
    member_id: ColumnType<string, string | number, string | number>
    told_at: ColumnType<string, Date | string, Date | string>
  }
  member_owner_history: {
    id: GeneratedAlways<string>
    member_id: ColumnType<string, string | number, string | number>
    from_id: ColumnType<string | null, string | number | null | undefined, string | number | null>
    to_id: ColumnType<string | null, string | number | null | undefined, string | number | null>
    reason: ColumnType<string, string | undefined, string>
    staff_id: ColumnType<string | null, string | number | null | undefined, string | number | null>
    created_at: ColumnType<string, Date | string, Date | string>
  }
  member_task: {
    id: GeneratedAlways<string>
    batch_id: ColumnType<string, string | number, string | number>
    title: string
    note: ColumnType<string, string | undefined, string>
    member_id: ColumnType<string, string | number, string | number>
    due_on: string
    target: number
    progress: ColumnType<number, number | undefined, number>
    picture: ColumnType<string[], string[] | undefined, string[]>
    words: ColumnType<string | null, string | null | undefined, string | null>
    status: ColumnType<'OPEN' | 'SUBMITTED' | 'DONE' | 'OVERDUE' | 'CANCELLED', 'OPEN' | 'SUBMITTED' | 'DONE' | 'OVERDUE' | 'CANCELLED' | undefined, 'OPEN' | 'SUBMITTED' | 'DONE' | 'OVERDUE' | 'CANCELLED'>
    reward_coins: number
    earned_coins: ColumnType<number, number | undefined, number>
    returned_for: ColumnType<string | null, string | null | undefined, string | null>
    submitted_at: ColumnType<string | null, Date | string | null | undefined, Date | string | null>
    creator_id: ColumnType<string, string | number, string | number>
    created_at: ColumnType<string, Date | string, Date | string>
    owner_id: ColumnType<string | null, string | number | null | undefined, string | number | null>
    org_id: ColumnType<string | null, string | number | null | undefined, string | number | null>
    teacher_id: ColumnType<string | null, string | number | null | undefined, string | number | null>
    version: ColumnType<number, number | undefined, number>
    likeness: ColumnType<'NONE' | 'PENDING' | 'NEW' | 'ALIKE' | 'SAME', 'NONE' | 'PENDING' | 'NEW' | 'ALIKE' | 'SAME' | undefined, 'NONE' | 'PENDING' | 'NEW' | 'ALIKE' | 'SAME'>
    like_id: ColumnType<string | null, string | number | null | undefined, string | number | null>
  }
  member_task_awaiting: {
    batch_id: ColumnType<string, string | number, string | number>
    member_id: ColumnType<string, string | number, string | number>
  }
  member_task_batch: {
    id: GeneratedAlways<string>
    title: string
    note: ColumnType<string, string | undefined, string>
    due_on: string
    target: number
    reward_coins: number
    members: ColumnType<number, number | undefined, number>
    creator_id: ColumnType<string, string | number, string | number>
    created_at: ColumnType<string, Date | string, Date | string>
  }
  message: {
    id: GeneratedAlways<string>
    template_id: ColumnType<string | null, string | number | null | undefined, string | number | null>
    edition_id: ColumnType<string | null, string | number | null | undefined, string | number | null>
    channel: 'WEB' | 'SMS' | 'EMAIL'
    kind: 'CODE' | 'NOTICE' | 'MARKETING'
    status: 'SCHEDULED' | 'SENDING' | 'UNKNOWN' | 'FAILED' | 'WITHHELD' | 'DELIVERED' | 'UNREAD' | 'READ'
    cause: ColumnType<'QUIET_HOURS' | 'NO_CONSENT' | 'OPTED_OUT' | 'OTHER_NUMBER' | 'LATELY' | 'NO_ADDRESS' | 'NO_ANSWER' | 'NOT_REACHED' | 'TOO_LATE' | 'BAD_ADDRESS' | 'BLOCKED' | 'LIMITED' | 'SWITCHED_OFF' | 'TEMPLATE' | 'ACCOUNT' | 'REJECTED' | null, 'QUIET_HOURS' | 'NO_CONSENT' | 'OPTED_OUT' | 'OTHER_NUMBER' | 'LATELY' | 'NO_ADDRESS' | 'NO_ANSWER' | 'NOT_REACHED' | 'TOO_LATE' | 'BAD_ADDRESS' | 'BLOCKED' | 'LIMITED' | 'SWITCHED_OFF' | 'TEMPLATE' | 'ACCOUNT' | 'REJECTED' | null | undefined, 'QUIET_HOURS' | 'NO_CONSENT' | 'OPTED_OUT' | 'OTHER_NUMBER' | 'LATELY' | 'NO_ADDRESS' | 'NO_ANSWER' | 'NOT_REACHED' | 'TOO_LATE' | 'BAD_ADDRESS' | 'BLOCKED' | 'LIMITED' | 'SWITCHED_OFF' | 'TEMPLATE' | 'ACCOUNT' | 'REJECTED' | null>
    member_id: ColumnType<string | null, string | number | null | undefined, string | number | null>
    staff_id: ColumnType<string | null, string | number | null | undefined, string | number | null>
    phone: ColumnType<string | null, string | null | undefined, string | null>
    email: ColumnType<string | null, string | null | undefined, string | null>
    title: string
    body: ColumnType<string, string | undefined, string>
    digest: string
    filled: ColumnType<unknown | null, unknown | null | undefined, unknown | null>
    sealed: ColumnType<Buffer | null, Buffer | null | undefined, Buffer | null>
    provider_code: ColumnType<string | null, string | null | undefined, string | null>
    about: string
    is_test: ColumnType<boolean, boolean | undefined, boolean>
    attempt: ColumnType<number, number | undefined, number>
    tries: ColumnType<number, number | undefined, number>
    claimed_at: ColumnType<string | null, Date | string | null | undefined, Date | string | null>
    result: ColumnType<string, string | undefined, string>
    scheduled_at: ColumnType<string | null, Date | string | null | undefined, Date | string | null>
    sent_at: ColumnType<string | null, Date | string | null | undefined, Date | string | null>
    ended_at: ColumnType<string | null, Date | string | null | undefined, Date | string | null>
    state_since: ColumnType<string, Date | string, Date | string>
    created_at: ColumnType<string, Date | string, Date | string>
    version: ColumnType<number, number | undefined, number>
    lead_id: ColumnType<string | null, string | number | null | undefined, string | number | null>
    partner_id: ColumnType<string | null, string | number | null | undefined, string | number | null>
    words_of_id: ColumnType<string | null, string | number | null | undefined, string | number | null>
  }
  message_template: {
    id: GeneratedAlways<string>
    code: string
    channel: 'WEB' | 'SMS' | 'EMAIL'
    kind: 'CODE' | 'NOTICE' | 'MARKETING'
    title: string
    body: string
    variables: ColumnType<unknown, unknown | undefined, unknown>
    provider_code: ColumnType<string | null, string | null | undefined, string | null>
    is_shipped: ColumnType<boolean, boolean | undefined, boolean>
    edition: ColumnType<number, number | undefined, number>
    status: ColumnType<'DRAFT' | 'PUBLISHED' | 'CHANGED', 'DRAFT' | 'PUBLISHED' | 'CHANGED' | undefined, 'DRAFT' | 'PUBLISHED' | 'CHANGED'>
    created_at: ColumnType<string, Date | string | undefined, Date | string>
    version: ColumnType<number, number | undefined, number>
  }
  message_template_edition: {
    id: GeneratedAlways<string>
    template_id: ColumnType<string, string | number, string | number>
    edition: ColumnType<number | null, number | null | undefined, number | null>
    state: 'DRAFT' | 'PUBLISHED' | 'SUPERSEDED' | 'DISCARDED'
    base: number
    restores: ColumnType<number | null, number | null | undefined, number | null>
    body: unknown
    drafted_by: ColumnType<string, string | number, string | number>
    drafted_at: ColumnType<string, Date | string, Date | string>
    published_by: ColumnType<string | null, string | number | null | undefined, string | number | null>
    published_at: ColumnType<string | null, Date | string | null | undefined, Date | string | null>
    authors: ColumnType<string[], string[] | undefined, string[]>
  }
  migration: {
    name: string
    checksum: string
    applied_at: ColumnType<string, Date | string | undefined, Date | string>
  }
  name_copybook: {
    id: GeneratedAlways<string>
    variant: 'CONSULTANT' | 'VERSE' | 'ACCOUNT' | 'PLAIN'
    name: ColumnType<string | null, string | null | undefined, string | null>
    lead_phone: ColumnType<string | null, string | null | undefined, string | null>
    lead_id: ColumnType<string | null, string | number | null | undefined, string | number | null>
    age: 'PRESCHOOL' | 'LOWER' | 'MIDDLE' | 'UPPER'
    grid: 'TIAN' | 'MI' | 'HUI' | 'JIU' | 'FANG'
    lines: number
    verse: ColumnType<string, string | undefined, string>
    link: ColumnType<string | null, string | null | undefined, string | null>
    batch: ColumnType<string | null, string | null | undefined, string | null>
    made_by: ColumnType<string, string | number, string | number>
    owner_id: ColumnType<string, string | number, string | number>
    org_id: ColumnType<string, string | number, string | number>
    created_at: ColumnType<string, Date | string, Date | string>
    version: ColumnType<number, number | undefined, number>
  }
  note: {
    id: GeneratedAlways<string>
    note_no: string
    title: string
    account: string
    note_type: 'PICTURES' | 'VIDEO'
    link: ColumnType<string | null, string | null | undefined, string | null>
    operator_id: ColumnType<string | null, string | number | null | undefined, string | number | null>
    published_at: ColumnType<string, Date | string, Date | string>
    status: ColumnType<'NORMAL' | 'LIMITED' | 'VIOLATION' | 'DELETED', 'NORMAL' | 'LIMITED' | 'VIOLATION' | 'DELETED' | undefined, 'NORMAL' | 'LIMITED' | 'VIOLATION' | 'DELETED'>
    reported_on: ColumnType<string | null, string | null | undefined, string | null>
    reads: ColumnType<number, number | undefined, number>
    likes: ColumnType<number, number | undefined, number>
    saves: ColumnType<number, number | undefined, number>
    comments: ColumnType<number, number | undefined, number>
    messages: ColumnType<number, number | undefined, number>
    leads: ColumnType<number, number | undefined, number>
    added: ColumnType<number, number | undefined, number>
    orders: ColumnType<number, number | undefined, number>
    gmv_fen: ColumnType<string, string | number | undefined, string | number>
    created_at: ColumnType<string, Date | string | undefined, Date | string>
    version: ColumnType<number, number | undefined, number>
  }
  note_snapshot: {
    id: GeneratedAlways<string>
    note_id: ColumnType<string, string | number, string | number>
    day: string
    reads: number
    likes: number
    saves: number
    comments: number
    messages: number
    reported_at: ColumnType<string, Date | string, Date | string>
  }
  number_batch: {
    id: GeneratedAlways<string>
    import_id: ColumnType<string, string | number, string | number>
    title: string
    all_rows: number
    new_rows: ColumnType<number, number | undefined, number>
    repeated_rows: number
    known_rows: number
    bad_rows: number
    allocated: ColumnType<number, number | undefined, number>
    registered: ColumnType<number, number | undefined, number>
    paid: ColumnType<number, number | undefined, number>
    status: ColumnType<'KEPT' | 'UNDONE', 'KEPT' | 'UNDONE' | undefined, 'KEPT' | 'UNDONE'>
    owner_id: ColumnType<string, string | number, string | number>
    org_id: ColumnType<string, string | number, string | number>
    created_at: ColumnType<string, Date | string, Date | string>
    version: ColumnType<number, number | undefined, number>
    contacted: ColumnType<number, number | undefined, number>
    added: ColumnType<number, number | undefined, number>
    came_from: ColumnType<string | null, string | null | undefined, string | null>
    marketing: ColumnType<'AGREED' | 'NOT_AGREED', 'AGREED' | 'NOT_AGREED' | undefined, 'AGREED' | 'NOT_AGREED'>
    evidence: ColumnType<string | null, string | null | undefined, string | null>
  }
  number_row: {
    id: GeneratedAlways<string>
    batch_id: ColumnType<string, string | number, string | number>
    lead_id: ColumnType<string, string | number, string | number>
    row_no: number
    phone: ColumnType<string | null, string | null | undefined, string | null>
    result: ColumnType<'OPEN' | 'REGISTERED' | 'PAID' | 'INVALID', 'OPEN' | 'REGISTERED' | 'PAID' | 'INVALID' | undefined, 'OPEN' | 'REGISTERED' | 'PAID' | 'INVALID'>
    owner_id: ColumnType<string | null, string | number | null | undefined, string | number | null>
    org_id: ColumnType<string, string | number, string | number>
    held_by: ColumnType<string | null, string | number | null | undefined, string | number | null>
    contacted_at: ColumnType<string | null, Date | string | null | undefined, Date | string | null>
    added_at: ColumnType<string | null, Date | string | null | undefined, Date | string | null>
    created_at: ColumnType<string, Date | string, Date | string>
    version: ColumnType<number, number | undefined, number>
    created_day: GeneratedAlways<string>
    reached: GeneratedAlways<'IMPORTED' | 'ALLOCATED' | 'CONTACTED' | 'ADDED' | 'REGISTERED' | 'PAID'>
  }
  number_sequence: {
    kind: string
    day: string
    last: ColumnType<string, string | number, string | number>
  }
  official_account: {
    id: GeneratedAlways<string>
    name: string
    app_id: string
    kind: 'SERVICE' | 'SUBSCRIPTION'
    status: ColumnType<'ACTIVE' | 'STOPPED', 'ACTIVE' | 'STOPPED' | undefined, 'ACTIVE' | 'STOPPED'>
    keeper_id: ColumnType<string | null, string | number | null | undefined, string | number | null>
    channel: string
    welcome: ColumnType<string, string | undefined, string>
    replies: ColumnType<unknown, unknown | undefined, unknown>
    draft: ColumnType<unknown, unknown | undefined, unknown>
    menu: ColumnType<unknown, unknown | undefined, unknown>
    menu_sent: ColumnType<unknown, unknown | undefined, unknown>
    sending_at: ColumnType<string | null, Date | string | null | undefined, Date | string | null>
    menu_state: ColumnType<'NONE' | 'WAITING' | 'PUBLISHED' | 'FAILED' | 'UNKNOWN', 'NONE' | 'WAITING' | 'PUBLISHED' | 'FAILED' | 'UNKNOWN' | undefined, 'NONE' | 'WAITING' | 'PUBLISHED' | 'FAILED' | 'UNKNOWN'>
    menu_published_at: ColumnType<string | null, Date | string | null | undefined, Date | string | null>
    menu_error: ColumnType<string | null, string | null | undefined, string | null>
    followers: ColumnType<number, number | undefined, number>
    gone: ColumnType<number, number | undefined, number>
    leads: ColumnType<number, number | undefined, number>
    counted_at: ColumnType<string | null, Date | string | null | undefined, Date | string | null>
    created_at: ColumnType<string, Date | string, Date | string>
    version: ColumnType<number, number | undefined, number>
  }
  operation_log: {
    id: ColumnType<string, string | number | undefined, string | number>
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
    undoes: ColumnType<string | null, string | number | null | undefined, string | number | null>
    version: ColumnType<number, number | undefined, number>
    keep: ColumnType<'SHORT' | 'LONG', 'SHORT' | 'LONG' | undefined, 'SHORT' | 'LONG'>
    record_no: ColumnType<string | null, string | null | undefined, string | null>
    salt: ColumnType<string | null, string | null | undefined, string | null>
    result: GeneratedAlways<'DONE' | 'REFUSED'>
    kind: GeneratedAlways<'CREATE' | 'UPDATE' | 'DELETE' | 'STEP' | 'TAKE_BACK' | 'IMPORT' | 'EXPORT' | 'REVEAL'>
    form: ColumnType<number, number | undefined, number>
  }
  order_by_channel_cell: {
    day: string
    org_id: ColumnType<string | null, string | number | null | undefined, string | number | null>
    owner_id: ColumnType<string | null, string | number | null | undefined, string | number | null>
    channel: ColumnType<string | null, string | null | undefined, string | null>
    placed: ColumnType<string, string | number, string | number>
    placed_paid: ColumnType<string, string | number, string | number>
    placed_kept: ColumnType<string, string | number, string | number>
    paid: ColumnType<string, string | number, string | number>
    bought: ColumnType<string, string | number, string | number>
    paid_fen: ColumnType<string, string | number, string | number>
  }
  order_by_channel_move: {
    day: string
    org_id: ColumnType<string | null, string | number | null | undefined, string | number | null>
    owner_id: ColumnType<string | null, string | number | null | undefined, string | number | null>
    channel: ColumnType<string | null, string | null | undefined, string | null>
    placed: ColumnType<string, string | number, string | number>
    placed_paid: ColumnType<string, string | number, string | number>
    placed_kept: ColumnType<string, string | number, string | number>
    paid: ColumnType<string, string | number, string | number>
    bought: ColumnType<string, string | number, string | number>
    paid_fen: ColumnType<string, string | number, string | number>
  }
  order_by_product_cell: {
    day: string
    org_id: ColumnType<string | null, string | number | null | undefined, string | number | null>
    owner_id: ColumnType<string | null, string | number | null | undefined, string | number | null>
    product_name: ColumnType<string | null, string | null | undefined, string | null>
    bought: ColumnType<string, string | number, string | number>
    paid_fen: ColumnType<string, string | number, string | number>
  }
  order_by_product_move: {
    day: string
    org_id: ColumnType<string | null, string | number | null | undefined, string | number | null>
    owner_id: ColumnType<string | null, string | number | null | undefined, string | number | null>
    product_name: ColumnType<string | null, string | null | undefined, string | null>
    bought: ColumnType<string, string | number, string | number>
    paid_fen: ColumnType<string, string | number, string | number>
  }
  order_by_seller_cell: {
    day: string
    org_id: ColumnType<string | null, string | number | null | undefined, string | number | null>
    owner_id: ColumnType<string | null, string | number | null | undefined, string | number | null>
    sold_by: ColumnType<string | null, string | number | null | undefined, string | number | null>
    sold_org_id: ColumnType<string | null, string | number | null | undefined, string | number | null>
    placed: ColumnType<string, string | number, string | number>
    placed_paid: ColumnType<string, string | number, string | number>
    placed_kept: ColumnType<string, string | number, string | number>
    paid: ColumnType<string, string | number, string | number>
    bought: ColumnType<string, string | number, string | number>
    paid_fen: ColumnType<string, string | number, string | number>
  }
  order_by_seller_move: {
    day: string
    org_id: ColumnType<string | null, string | number | null | undefined, string | number | null>
    owner_id: ColumnType<string | null, string | number | null | undefined, string | number | null>
    sold_by: ColumnType<string | null, string | number | null | undefined, string | number | null>
    sold_org_id: ColumnType<string | null, string | number | null | undefined, string | number | null>
    placed: ColumnType<string, string | number, string | number>
    placed_paid: ColumnType<string, string | number, string | number>
    placed_kept: ColumnType<string, string | number, string | number>
    paid: ColumnType<string, string | number, string | number>
    bought: ColumnType<string, string | number, string | number>
    paid_fen: ColumnType<string, string | number, string | number>
  }
  order_examination: {
    id: GeneratedAlways<string>
    order_id: ColumnType<string, string | number, string | number>
    member_id: ColumnType<string, string | number, string | number>
    kind: 'OFFLINE' | 'PRICE'
    amount_fen: ColumnType<string, string | number, string | number>
    before_fen: ColumnType<string, string | number, string | number>
    list_fen: ColumnType<string, string | number, string | number>
    pay_channel: ColumnType<string | null, string | null | undefined, string | null>
    transaction_no: ColumnType<string | null, string | null | undefined, string | null>
    proof: ColumnType<string[], string[] | undefined, string[]>
    proof_seen: ColumnType<boolean, boolean | undefined, boolean>
    note: ColumnType<string, string | undefined, string>
    status: ColumnType<'WAITING' | 'APPROVED' | 'REJECTED', 'WAITING' | 'APPROVED' | 'REJECTED' | undefined, 'WAITING' | 'APPROVED' | 'REJECTED'>
    applicant_id: ColumnType<string, string | number, string | number>
    decided_by: ColumnType<string | null, string | number | null | undefined, string | number | null>
    decided_at: ColumnType<string | null, Date | string | null | undefined, Date | string | null>
    owner_id: ColumnType<string | null, string | number | null | undefined, string | number | null>
    org_id: ColumnType<string | null, string | number | null | undefined, string | number | null>
    created_at: ColumnType<string, Date | string | undefined, Date | string>
    version: ColumnType<number, number | undefined, number>
    bank_number: GeneratedAlways<string | null>
    transfer_fen: ColumnType<string | null, string | number | null | undefined, string | number | null>
    flags: ColumnType<string[], string[] | undefined, string[]>
  }
  order_line: {
    id: GeneratedAlways<string>
    order_id: ColumnType<string, string | number, string | number>
    product_id: ColumnType<string | null, string | number | null | undefined, string | number | null>
    product_name: string
    quantity: number
    list_fen: ColumnType<string, string | number, string | number>
    amount_fen: ColumnType<string, string | number, string | number>
    paid_fen: ColumnType<string, string | number | undefined, string | number>
    reserved_fen: ColumnType<string, string | number | undefined, string | number>
    refunded_fen: ColumnType<string, string | number | undefined, string | number>
    grants: ColumnType<unknown, unknown | undefined, unknown>
    commission_permille: ColumnType<number, number | undefined, number>
    may_wait: ColumnType<boolean, boolean | undefined, boolean>
  }
  org: {
    id: GeneratedAlways<string>
    parent_id: ColumnType<string | null, string | number | null | undefined, string | number | null>
    name: string
    code: string
    path: string
    sort: ColumnType<number, number | undefined, number>
    version: ColumnType<number, number | undefined, number>
    short_name: ColumnType<string | null, string | null | undefined, string | null>
    type: ColumnType<string, string | undefined, string>
    manager_id: ColumnType<string | null, string | number | null | undefined, string | number | null>
    note: ColumnType<string, string | undefined, string>
    created_at: ColumnType<string, Date | string | undefined, Date | string>
    status: ColumnType<'OPEN' | 'CLOSED', 'OPEN' | 'CLOSED' | undefined, 'OPEN' | 'CLOSED'>
  }
  outbox: {
    id: GeneratedAlways<string>
    kind: string
    key: string
    payload: unknown
    status: ColumnType<'WAITING' | 'DONE' | 'GIVEN_UP', 'WAITING' | 'DONE' | 'GIVEN_UP' | undefined, 'WAITING' | 'DONE' | 'GIVEN_UP'>
    attempts: ColumnType<number, number | undefined, number>
    due_at: ColumnType<string, Date | string, Date | string>
    error: ColumnType<string, string | undefined, string>
    created_at: ColumnType<string, Date | string, Date | string>
    done_at: ColumnType<string | null, Date | string | null | undefined, Date | string | null>
  }
  partner: {
    id: GeneratedAlways<string>
    name: string
    company: string
    channel: string
    platform: 'ANDROID' | 'IOS' | 'HARMONY' | 'MINI_APP' | 'WEB'
    package_name: ColumnType<string | null, string | null | undefined, string | null>
    note: ColumnType<string, string | undefined, string>
    registered: ColumnType<number, number | undefined, number>
    activated: ColumnType<number, number | undefined, number>
    paid_orders: ColumnType<number, number | undefined, number>
    paid_fen: ColumnType<string, string | number | undefined, string | number>
    settled_fen: ColumnType<string, string | number | undefined, string | number>
    counted_at: ColumnType<string | null, Date | string | null | undefined, Date | string | null>
    created_at: ColumnType<string, Date | string | undefined, Date | string>
    version: ColumnType<number, number | undefined, number>
    contact_name: ColumnType<string | null, string | null | undefined, string | null>
    contact_phone: ColumnType<string | null, string | null | undefined, string | null>
    contact_email: ColumnType<string | null, string | null | undefined, string | null>
    contact_by: ColumnType<string | null, string | number | null | undefined, string | number | null>
  }
  password_history: {
    id: GeneratedAlways<string>
    staff_id: ColumnType<string, string | number, string | number>
    hash: string
    set_at: ColumnType<string, Date | string, Date | string>
  }
  payment: {
    id: GeneratedAlways<string>
    payment_no: string
    provider: 'WECHAT' | 'ALIPAY' | 'OFFLINE' | 'PLATFORM'
    provider_no: string
    order_id: ColumnType<string | null, string | number | null | undefined, string | number | null>
    coin_order_id: ColumnType<string | null, string | number | null | undefined, string | number | null>
    amount_fen: ColumnType<string, string | number, string | number>
    refunded_fen: ColumnType<string, string | number | undefined, string | number>
    status: 'RECEIVED' | 'STRAY' | 'GIVING_BACK' | 'GIVEN_BACK'
    stray_reason: ColumnType<'CLOSED' | 'TWICE' | 'AMOUNT' | 'EXAMINING' | 'UNAVAILABLE' | 'RECORDED' | 'UNKNOWN' | null, 'CLOSED' | 'TWICE' | 'AMOUNT' | 'EXAMINING' | 'UNAVAILABLE' | 'RECORDED' | 'UNKNOWN' | null | undefined, 'CLOSED' | 'TWICE' | 'AMOUNT' | 'EXAMINING' | 'UNAVAILABLE' | 'RECORDED' | 'UNKNOWN' | null>
    said_order_no: string
    received_at: ColumnType<string, Date | string, Date | string>
    bank_number: GeneratedAlways<string | null>
    sender: ColumnType<'app' | 'douyin' | 'wechat-shop' | 'xiaohongshu' | null, 'app' | 'douyin' | 'wechat-shop' | 'xiaohongshu' | null | undefined, 'app' | 'douyin' | 'wechat-shop' | 'xiaohongshu' | null>
    told_at: ColumnType<string, Date | string, Date | string>
  }
  payment_exception: {
    id: GeneratedAlways<string>
    kind: 'STRAY' | 'SAME_NUMBER' | 'REFUND_TWICE' | 'REFUND_AMOUNT' | 'REFUND_UNKNOWN' | 'EVENT' | 'CALL'
    subject: string
    payment_id: ColumnType<string | null, string | number | null | undefined, string | number | null>
    event_id: ColumnType<string | null, string | number | null | undefined, string | number | null>
    order_id: ColumnType<string | null, string | number | null | undefined, string | number | null>
    provider: ColumnType<'WECHAT' | 'ALIPAY' | 'PLATFORM' | null, 'WECHAT' | 'ALIPAY' | 'PLATFORM' | null | undefined, 'WECHAT' | 'ALIPAY' | 'PLATFORM' | null>
    provider_no: ColumnType<string | null, string | null | undefined, string | null>
    said_order_no: ColumnType<string | null, string | null | undefined, string | null>
    amount_fen: ColumnType<string | null, string | number | null | undefined, string | number | null>
    cause: ColumnType<'CLOSED' | 'TWICE' | 'AMOUNT' | 'EXAMINING' | 'UNAVAILABLE' | 'RECORDED' | 'UNKNOWN' | null, 'CLOSED' | 'TWICE' | 'AMOUNT' | 'EXAMINING' | 'UNAVAILABLE' | 'RECORDED' | 'UNKNOWN' | null | undefined, 'CLOSED' | 'TWICE' | 'AMOUNT' | 'EXAMINING' | 'UNAVAILABLE' | 'RECORDED' | 'UNKNOWN' | null>
    detail: ColumnType<string, string | undefined, string>
    status: ColumnType<'OPEN' | 'PROPOSED' | 'DONE', 'OPEN' | 'PROPOSED' | 'DONE' | undefined, 'OPEN' | 'PROPOSED' | 'DONE'>
    proposal: ColumnType<'ORDER' | 'GIVE_BACK' | 'SETTLED' | null, 'ORDER' | 'GIVE_BACK' | 'SETTLED' | null | undefined, 'ORDER' | 'GIVE_BACK' | 'SETTLED' | null>
    proposed_order_id: ColumnType<string | null, string | number | null | undefined, string | number | null>
    proposed_by: ColumnType<string | null, string | number | null | undefined, string | number | null>
    proposal_note: ColumnType<string, string | undefined, string>
    confirmed_by: ColumnType<string | null, string | number | null | undefined, string | number | null>
    ended_at: ColumnType<string | null, Date | string | null | undefined, Date | string | null>
    created_at: ColumnType<string, Date | string, Date | string>
    version: ColumnType<number, number | undefined, number>
    outbox_id: ColumnType<string | null, string | number | null | undefined, string | number | null>
    returns_at: ColumnType<string | null, Date | string | null | undefined, Date | string | null>
    member_id: ColumnType<string | null, string | number | null | undefined, string | number | null>
  }
  permission: {
    id: GeneratedAlways<string>
    parent_id: ColumnType<string | null, string | number | null | undefined, string | number | null>
    display_type: 'MENU' | 'PERMISSION'
    resource_code: string
    display_name: string
    sort: ColumnType<number, number | undefined, number>
    vanished: ColumnType<boolean, boolean | undefined, boolean>
    path: ColumnType<string, string | undefined, string>
    code_sort: ColumnType<number, number | undefined, number>
    name_zh_cn: ColumnType<string | null, string | null | undefined, string | null>
    name_zh_tw: ColumnType<string | null, string | null | undefined, string | null>
    name_en_us: ColumnType<string | null, string | null | undefined, string | null>
    name_pt_br: ColumnType<string | null, string | null | undefined, string | null>
    icon: ColumnType<'analysis' | 'dashboard' | 'finance' | 'logistics' | 'member' | 'order' | 'organisation' | 'product' | 'setting' | 'user' | 'operations' | 'book' | 'brush' | 'calendar' | 'crown' | 'fund' | 'gift' | 'globe' | 'heart' | 'message' | 'notice' | 'phone' | 'picture' | 'review' | 'rocket' | 'safety' | 'service' | 'shop' | 'tag' | 'tool' | 'video' | null, 'analysis' | 'dashboard' | 'finance' | 'logistics' | 'member' | 'order' | 'organisation' | 'product' | 'setting' | 'user' | 'operations' | 'book' | 'brush' | 'calendar' | 'crown' | 'fund' | 'gift' | 'globe' | 'heart' | 'message' | 'notice' | 'phone' | 'picture' | 'review' | 'rocket' | 'safety' | 'service' | 'shop' | 'tag' | 'tool' | 'video' | null | undefined, 'analysis' | 'dashboard' | 'finance' | 'logistics' | 'member' | 'order' | 'organisation' | 'product' | 'setting' | 'user' | 'operations' | 'book' | 'brush' | 'calendar' | 'crown' | 'fund' | 'gift' | 'globe' | 'heart' | 'message' | 'notice' | 'phone' | 'picture' | 'review' | 'rocket' | 'safety' | 'service' | 'shop' | 'tag' | 'tool' | 'video' | null>
    hidden: ColumnType<boolean, boolean | undefined, boolean>
    keep_alive: ColumnType<boolean, boolean | undefined, boolean>
    version: ColumnType<number, number | undefined, number>
  }
  picture_hash: {
    file_id: string
    page: string
    record_id: ColumnType<string, string | number, string | number>
    sha256: string
    hash: ColumnType<string | null, string | null | undefined, string | null>
    keys: string[]
  }
  platform_order: {
    id: GeneratedAlways<string>
    platform: 'DOUYIN' | 'WECHAT_SHOP' | 'XIAOHONGSHU'
    order_no: string
    facts: ColumnType<unknown, unknown | undefined, unknown>
    status: 'UNPAID' | 'BOUGHT' | 'CLAIMED' | 'REGISTERED' | 'VERIFIED' | 'REFUNDED' | 'CLOSED'
    product_name: ColumnType<string | null, string | null | undefined, string | null>
    sku_id: ColumnType<string | null, string | null | undefined, string | null>
    amount_fen: ColumnType<string | null, string | number | null | undefined, string | number | null>
    platform_status: ColumnType<string | null, string | null | undefined, string | null>
    after_sale: ColumnType<string | null, string | null | undefined, string | null>
    unionid: ColumnType<string | null, string | null | undefined, string | null>
    claim_state: ColumnType<string | null, string | null | undefined, string | null>
    author: ColumnType<string | null, string | null | undefined, string | null>
    room: ColumnType<string | null, string | null | undefined, string | null>
    lead_phone: ColumnType<string | null, string | null | undefined, string | null>
    phone_kind: ColumnType<'OWN' | 'DECRYPTED' | 'VIRTUAL' | null, 'OWN' | 'DECRYPTED' | 'VIRTUAL' | null | undefined, 'OWN' | 'DECRYPTED' | 'VIRTUAL' | null>
    last4: ColumnType<string | null, string | null | undefined, string | null>
    verify_state: ColumnType<'NONE' | 'ASKED' | 'VERIFIED' | 'CANCELLING' | 'FAILED', 'NONE' | 'ASKED' | 'VERIFIED' | 'CANCELLING' | 'FAILED' | undefined, 'NONE' | 'ASKED' | 'VERIFIED' | 'CANCELLING' | 'FAILED'>
    verified_at: ColumnType<string | null, Date | string | null | undefined, Date | string | null>
    verify_id: ColumnType<string | null, string | null | undefined, string | null>
    verify_error: ColumnType<string | null, string | null | undefined, string | null>
    refund_state: ColumnType<'NONE' | 'ASKED' | 'REFUNDED', 'NONE' | 'ASKED' | 'REFUNDED' | undefined, 'NONE' | 'ASKED' | 'REFUNDED'>
    refunded_fen: ColumnType<string | null, string | number | null | undefined, string | number | null>
    exception: ColumnType<'NONE' | 'UNCLAIMED' | 'PHONE_MISMATCH' | 'REFUNDED_ACTIVE' | 'SAME_PHONE' | 'PRODUCT_UNKNOWN', 'NONE' | 'UNCLAIMED' | 'PHONE_MISMATCH' | 'REFUNDED_ACTIVE' | 'SAME_PHONE' | 'PRODUCT_UNKNOWN' | undefined, 'NONE' | 'UNCLAIMED' | 'PHONE_MISMATCH' | 'REFUNDED_ACTIVE' | 'SAME_PHONE' | 'PRODUCT_UNKNOWN'>
    handled: ColumnType<string[], string[] | undefined, string[]>
    frozen: ColumnType<boolean, boolean | undefined, boolean>
    chat_added: ColumnType<boolean, boolean | undefined, boolean>
    regranted_at: ColumnType<string | null, Date | string | null | undefined, Date | string | null>
    bound_by: ColumnType<string | null, string | number | null | undefined, string | number | null>
    member_id: ColumnType<string | null, string | number | null | undefined, string | number | null>
    registered: GeneratedAlways<boolean>
    order_id: ColumnType<string | null, string | number | null | undefined, string | number | null>
    owner_id: ColumnType<string | null, string | number | null | undefined, string | number | null>
    org_id: ColumnType<string | null, string | number | null | undefined, string | number | null>
    paid_at: ColumnType<string | null, Date | string | null | undefined, Date | string | null>
    claimed_at: ColumnType<string | null, Date | string | null | undefined, Date | string | null>
    registered_at: ColumnType<string | null, Date | string | null | undefined, Date | string | null>
    refunded_at: ColumnType<string | null, Date | string | null | undefined, Date | string | null>
    synced_at: ColumnType<string | null, Date | string | null | undefined, Date | string | null>
    created_at: ColumnType<string, Date | string, Date | string>
    version: ColumnType<number, number | undefined, number>
    part_state: GeneratedAlways<string>
  }
  poster_share: {
    id: GeneratedAlways<string>
    key: string
    member_id: ColumnType<string, string | number, string | number>
    poster: string
    platform: string
    picture: ColumnType<string[], string[] | undefined, string[]>
    likeness: ColumnType<'NONE' | 'PENDING' | 'NEW' | 'ALIKE' | 'SAME', 'NONE' | 'PENDING' | 'NEW' | 'ALIKE' | 'SAME' | undefined, 'NONE' | 'PENDING' | 'NEW' | 'ALIKE' | 'SAME'>
    like_id: ColumnType<string | null, string | number | null | undefined, string | number | null>
    period: string
    status: ColumnType<'SUBMITTED' | 'APPROVED' | 'REJECTED', 'SUBMITTED' | 'APPROVED' | 'REJECTED' | undefined, 'SUBMITTED' | 'APPROVED' | 'REJECTED'>
    reward_coins: ColumnType<number, number | undefined, number>
    rejected_for: ColumnType<string | null, string | null | undefined, string | null>
    decided_by: ColumnType<string | null, string | number | null | undefined, string | number | null>
    decided_at: ColumnType<string | null, Date | string | null | undefined, Date | string | null>
    submitted_at: ColumnType<string, Date | string, Date | string>
    owner_id: ColumnType<string | null, string | number | null | undefined, string | number | null>
    org_id: ColumnType<string | null, string | number | null | undefined, string | number | null>
    teacher_id: ColumnType<string | null, string | number | null | undefined, string | number | null>
    version: ColumnType<number, number | undefined, number>
  }
  product: {
    id: GeneratedAlways<string>
    code: string
    name: string
    price_fen: ColumnType<string, string | number, string | number>
    list_fen: ColumnType<string, string | number, string | number>
    grants: unknown
    commission_permille: ColumnType<number, number | undefined, number>
    may_wait: ColumnType<boolean, boolean | undefined, boolean>
    status: ColumnType<'ON_SALE' | 'OFF_SALE', 'ON_SALE' | 'OFF_SALE' | undefined, 'ON_SALE' | 'OFF_SALE'>
    sold: ColumnType<number, number | undefined, number>
    sort: ColumnType<number, number | undefined, number>
    note: ColumnType<string, string | undefined, string>
    created_at: ColumnType<string, Date | string | undefined, Date | string>
    version: ColumnType<number, number | undefined, number>
    picture: ColumnType<string[], string[] | undefined, string[]>
  }
  provider_refund: {
    id: GeneratedAlways<string>
    refund_no: string
    payment_id: ColumnType<string, string | number, string | number>
    refund_id: ColumnType<string | null, string | number | null | undefined, string | number | null>
    amount_fen: ColumnType<string, string | number, string | number>
    status: ColumnType<'PROCESSING' | 'SUCCESS' | 'CLOSED' | 'ABNORMAL', 'PROCESSING' | 'SUCCESS' | 'CLOSED' | 'ABNORMAL' | undefined, 'PROCESSING' | 'SUCCESS' | 'CLOSED' | 'ABNORMAL'>
    provider_no: ColumnType<string | null, string | null | undefined, string | null>
    tries: ColumnType<number, number | undefined, number>
    error: ColumnType<string, string | undefined, string>
    created_at: ColumnType<string, Date | string, Date | string>
    finished_at: ColumnType<string | null, Date | string | null | undefined, Date | string | null>
  }
  publish_line: {
    id: GeneratedAlways<string>
    day: string
    account: string
    operator_id: ColumnType<string, string | number, string | number>
    planned: ColumnType<number, number | undefined, number>
    published: ColumnType<number, number | undefined, number>
    hits: ColumnType<number, number | undefined, number>
    leads: ColumnType<number, number | undefined, number>
    created_at: ColumnType<string, Date | string | undefined, Date | string>
    version: ColumnType<number, number | undefined, number>
  }
  recovery_code: {
    staff_id: ColumnType<string, string | number, string | number>
    digest: Buffer
    used_at: ColumnType<string | null, Date | string | null | undefined, Date | string | null>
  }
  redemption: {
    id: GeneratedAlways<string>
    redemption_no: string
    code_id: ColumnType<string, string | number, string | number>
    batch_id: ColumnType<string, string | number, string | number>
    last4: string
    member_id: ColumnType<string, string | number, string | number>
    order_id: ColumnType<string, string | number, string | number>
    status: ColumnType<'DONE' | 'UNDONE', 'DONE' | 'UNDONE' | undefined, 'DONE' | 'UNDONE'>
    staff_id: ColumnType<string | null, string | number | null | undefined, string | number | null>
    undone_at: ColumnType<string | null, Date | string | null | undefined, Date | string | null>
    owner_id: ColumnType<string | null, string | number | null | undefined, string | number | null>
    org_id: ColumnType<string | null, string | number | null | undefined, string | number | null>
    created_at: ColumnType<string, Date | string | undefined, Date | string>
    version: ColumnType<number, number | undefined, number>
  }
  redemption_code: {
    id: GeneratedAlways<string>
    batch_id: ColumnType<string, string | number, string | number>
    hash: Buffer
    last4: string
    status: ColumnType<'UNUSED' | 'REDEEMED' | 'VOID', 'UNUSED' | 'REDEEMED' | 'VOID' | undefined, 'UNUSED' | 'REDEEMED' | 'VOID'>
  }
  refund_application: {
    id: GeneratedAlways<string>
    refund_no: string
    order_id: ColumnType<string, string | number, string | number>
    member_id: ColumnType<string, string | number, string | number>
    amount_fen: ColumnType<string, string | number, string | number>
    reason: string
    note: ColumnType<string, string | undefined, string>
    status: ColumnType<'SUBMITTED' | 'L1_APPROVED' | 'L2_APPROVED' | 'PAYING' | 'PAID' | 'FAILED' | 'ABNORMAL' | 'REJECTED' | 'WITHDRAWN', 'SUBMITTED' | 'L1_APPROVED' | 'L2_APPROVED' | 'PAYING' | 'PAID' | 'FAILED' | 'ABNORMAL' | 'REJECTED' | 'WITHDRAWN' | undefined, 'SUBMITTED' | 'L1_APPROVED' | 'L2_APPROVED' | 'PAYING' | 'PAID' | 'FAILED' | 'ABNORMAL' | 'REJECTED' | 'WITHDRAWN'>
    applicant_id: ColumnType<string, string | number, string | number>
    owner_id: ColumnType<string | null, string | number | null | undefined, string | number | null>
    org_id: ColumnType<string | null, string | number | null | undefined, string | number | null>
    created_at: ColumnType<string, Date | string | undefined, Date | string>
    version: ColumnType<number, number | undefined, number>
    suggested_fen: ColumnType<string, string | number | undefined, string | number>
    calculation: ColumnType<unknown, unknown | undefined, unknown>
    deviation: ColumnType<string, string | undefined, string>
    needs_l2: ColumnType<boolean, boolean | undefined, boolean>
    route: ColumnType<'ORIGINAL' | 'OFFLINE' | 'PLATFORM', 'ORIGINAL' | 'OFFLINE' | 'PLATFORM' | undefined, 'ORIGINAL' | 'OFFLINE' | 'PLATFORM'>
    l1_by: ColumnType<string | null, string | number | null | undefined, string | number | null>
    l2_by: ColumnType<string | null, string | number | null | undefined, string | number | null>
    paid_by: ColumnType<string | null, string | number | null | undefined, string | number | null>
    paid_at: ColumnType<string | null, Date | string | null | undefined, Date | string | null>
    transaction_no: ColumnType<string | null, string | null | undefined, string | null>
    proof: ColumnType<string[], string[] | undefined, string[]>
    failure: ColumnType<string, string | undefined, string>
    effects_open: ColumnType<number, number | undefined, number>
    ended_at: ColumnType<string | null, Date | string | null | undefined, Date | string | null>
    pay_failed: ColumnType<boolean, boolean | undefined, boolean>
    order_paid_at: ColumnType<string | null, Date | string | null | undefined, Date | string | null>
    days_since_paid: ColumnType<number, number | undefined, number>
    sold_by: ColumnType<string | null, string | number | null | undefined, string | number | null>
    channel: ColumnType<string, string | undefined, string>
    products: ColumnType<string[], string[] | undefined, string[]>
    l2_reasons: ColumnType<unknown, unknown | undefined, unknown>
    payee: ColumnType<'PAYER' | 'OTHER' | null, 'PAYER' | 'OTHER' | null | undefined, 'PAYER' | 'OTHER' | null>
    payee_name: ColumnType<string | null, string | null | undefined, string | null>
    payee_account: ColumnType<string | null, string | null | undefined, string | null>
    state_since: ColumnType<string | null, Date | string | null | undefined, Date | string | null>
    provider: ColumnType<'WECHAT' | 'ALIPAY' | null, 'WECHAT' | 'ALIPAY' | null | undefined, 'WECHAT' | 'ALIPAY' | null>
    terms: ColumnType<unknown | null, unknown | null | undefined, unknown | null>
    ended_day: GeneratedAlways<string | null>
    order_paid_day: GeneratedAlways<string | null>
    sold_org_id: ColumnType<string | null, string | number | null | undefined, string | number | null>
    hold: ColumnType<'NONE' | 'JUDGING' | 'HELD' | 'RELEASED', 'NONE' | 'JUDGING' | 'HELD' | 'RELEASED' | undefined, 'NONE' | 'JUDGING' | 'HELD' | 'RELEASED'>
    hold_reason: ColumnType<string, string | undefined, string>
    released_by: ColumnType<string | null, string | number | null | undefined, string | number | null>
    judging_since: ColumnType<string | null, Date | string | null | undefined, Date | string | null>
  }
  refund_effect: {
    id: GeneratedAlways<string>
    refund_id: ColumnType<string, string | number, string | number>
    name: 'ENTITLEMENT' | 'COUPON' | 'GOODS' | 'COMMISSION' | 'NOTICE'
    status: ColumnType<'WAITING' | 'DONE' | 'FAILED', 'WAITING' | 'DONE' | 'FAILED' | undefined, 'WAITING' | 'DONE' | 'FAILED'>
    outcome: ColumnType<unknown, unknown | undefined, unknown>
    error: ColumnType<string, string | undefined, string>
    attempts: ColumnType<number, number | undefined, number>
    done_at: ColumnType<string | null, Date | string | null | undefined, Date | string | null>
  }
  refund_line: {
    refund_id: ColumnType<string, string | number, string | number>
    order_line_id: ColumnType<string, string | number, string | number>
    amount_fen: ColumnType<string, string | number, string | number>
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
  refused_number: {
    phone: string
    since: ColumnType<string, Date | string, Date | string>
  }
  registration: {
    id: GeneratedAlways<string>
    lead_id: ColumnType<string, string | number, string | number>
    phone: ColumnType<string | null, string | null | undefined, string | null>
    source: string
    channel: string
    step: 'PHONE' | 'CODE_SENT' | 'CODE_ENTERED' | 'PROFILE'
    code_sent_at: ColumnType<string | null, Date | string | null | undefined, Date | string | null>
    status: ColumnType<'WAITING' | 'REMINDED' | 'REGISTERED' | 'INVALID', 'WAITING' | 'REMINDED' | 'REGISTERED' | 'INVALID' | undefined, 'WAITING' | 'REMINDED' | 'REGISTERED' | 'INVALID'>
    reminders: ColumnType<number, number | undefined, number>
    reminded_at: ColumnType<string | null, Date | string | null | undefined, Date | string | null>
    last_at: ColumnType<string, Date | string, Date | string>
    owner_id: ColumnType<string | null, string | number | null | undefined, string | number | null>
    org_id: ColumnType<string | null, string | number | null | undefined, string | number | null>
    created_at: ColumnType<string, Date | string, Date | string>
    version: ColumnType<number, number | undefined, number>
    became_id: ColumnType<string | null, string | number | null | undefined, string | number | null>
  }
  review_share: {
    staff_id: ColumnType<string, string | number, string | number>
    percent: number
    set_by: ColumnType<string, string | number, string | number>
    set_at: ColumnType<string, Date | string, Date | string>
  }
  role: {
    id: GeneratedAlways<string>
    code: string
    name: string
    scope: 'SELF' | 'SELF_AND_SUBORDINATES' | 'DEPARTMENT' | 'DEPARTMENT_AND_BELOW' | 'ALL' | 'CHOSEN'
    version: ColumnType<number, number | undefined, number>
    note: ColumnType<string, string | undefined, string>
    people: ColumnType<number, number | undefined, number>
    created_at: ColumnType<string, Date | string | undefined, Date | string>
    second_factor: ColumnType<'OPTIONAL' | 'REQUIRED', 'OPTIONAL' | 'REQUIRED' | undefined, 'OPTIONAL' | 'REQUIRED'>
  }
  role_org: {
    role_id: ColumnType<string, string | number, string | number>
    org_id: ColumnType<string, string | number, string | number>
  }
  role_permission: {
    role_id: ColumnType<string, string | number, string | number>
    permission_id: ColumnType<string, string | number, string | number>
  }
  rule_chain: {
    id: GeneratedAlways<string>
    chain_id: string
    name: string
    source: string
    note: string
    enabled: boolean
    edition: ColumnType<number, number | undefined, number>
    status: ColumnType<'DRAFT' | 'PUBLISHED' | 'CHANGED', 'DRAFT' | 'PUBLISHED' | 'CHANGED' | undefined, 'DRAFT' | 'PUBLISHED' | 'CHANGED'>
    created_at: ColumnType<string, Date | string | undefined, Date | string>
    version: ColumnType<number, number | undefined, number>
    event: ColumnType<string | null, string | null | undefined, string | null>
    failed_at: ColumnType<string | null, Date | string | null | undefined, Date | string | null>
    failure: ColumnType<string, string | undefined, string>
  }
  rule_chain_edition: {
    id: GeneratedAlways<string>
    chain_record_id: ColumnType<string, string | number, string | number>
    edition: ColumnType<number | null, number | null | undefined, number | null>
    state: 'DRAFT' | 'PUBLISHED' | 'SUPERSEDED' | 'DISCARDED'
    base: number
    restores: ColumnType<number | null, number | null | undefined, number | null>
    body: unknown
    drafted_by: ColumnType<string, string | number, string | number>
    drafted_at: ColumnType<string, Date | string, Date | string>
    published_by: ColumnType<string | null, string | number | null | undefined, string | number | null>
    published_at: ColumnType<string | null, Date | string | null | undefined, Date | string | null>
    authors: ColumnType<string[], string[] | undefined, string[]>
  }
  rule_deed: {
    event: string
    record_id: ColumnType<string, string | number, string | number>
    node: string
    bound: string
    created_at: ColumnType<string, Date | string, Date | string>
  }
  rule_name: {
    name: string
  }
  rule_run: {
    id: GeneratedAlways<string>
    event: string
    record_id: ColumnType<string, string | number, string | number>
    record_no: string
    chain_record_id: ColumnType<string | null, string | number | null | undefined, string | number | null>
    edition: number
    result: 'DECIDED' | 'FELL_BACK'
    outcome: string
    ms: number
    fault: ColumnType<string | null, string | null | undefined, string | null>
    created_at: ColumnType<string, Date | string, Date | string>
  }
  rule_script: {
    id: GeneratedAlways<string>
    node_id: string
    name: string
    type: 'script' | 'boolean_script' | 'switch_script' | 'for_script'
    source: string
    note: string
    edition: ColumnType<number, number | undefined, number>
    status: ColumnType<'DRAFT' | 'PUBLISHED' | 'CHANGED', 'DRAFT' | 'PUBLISHED' | 'CHANGED' | undefined, 'DRAFT' | 'PUBLISHED' | 'CHANGED'>
    created_at: ColumnType<string, Date | string | undefined, Date | string>
    version: ColumnType<number, number | undefined, number>
  }
  rule_script_edition: {
    id: GeneratedAlways<string>
    script_id: ColumnType<string, string | number, string | number>
    edition: ColumnType<number | null, number | null | undefined, number | null>
    state: 'DRAFT' | 'PUBLISHED' | 'SUPERSEDED' | 'DISCARDED'
    base: number
    restores: ColumnType<number | null, number | null | undefined, number | null>
    body: unknown
    drafted_by: ColumnType<string, string | number, string | number>
    drafted_at: ColumnType<string, Date | string, Date | string>
    published_by: ColumnType<string | null, string | number | null | undefined, string | number | null>
    published_at: ColumnType<string | null, Date | string | null | undefined, Date | string | null>
    authors: ColumnType<string[], string[] | undefined, string[]>
  }
  sales_link: {
    id: GeneratedAlways<string>
    code: string
    status: ColumnType<'ACTIVE' | 'USED' | 'EXPIRED' | 'CLOSED', 'ACTIVE' | 'USED' | 'EXPIRED' | 'CLOSED' | undefined, 'ACTIVE' | 'USED' | 'EXPIRED' | 'CLOSED'>
    owner_id: ColumnType<string, string | number, string | number>
    org_id: ColumnType<string, string | number, string | number>
    product_id: ColumnType<string, string | number, string | number>
    list_fen: ColumnType<string, string | number, string | number>
    price_fen: ColumnType<string, string | number, string | number>
    discount_id: ColumnType<string | null, string | number | null | undefined, string | number | null>
    used_order_id: ColumnType<string | null, string | number | null | undefined, string | number | null>
    expires_on: string
    visits: ColumnType<number, number | undefined, number>
    leads: ColumnType<number, number | undefined, number>
    orders: ColumnType<number, number | undefined, number>
    amount_fen: ColumnType<string, string | number | undefined, string | number>
    short_orders: ColumnType<number, number | undefined, number>
    created_at: ColumnType<string, Date | string, Date | string>
    version: ColumnType<number, number | undefined, number>
  }
  sales_link_day: {
    id: GeneratedAlways<string>
    link_id: ColumnType<string, string | number, string | number>
    day: string
    visits: number
  }
  sales_link_order: {
    id: GeneratedAlways<string>
    link_id: ColumnType<string, string | number, string | number>
    order_id: ColumnType<string, string | number, string | number>
    outcome: 'LOCKED' | 'DISCOUNTED' | 'NOT_IN_FORCE' | 'ALREADY_USED' | 'OTHER_PRODUCT' | 'WITH_COUPON'
    amount_fen: ColumnType<string, string | number, string | number>
    told_fen: ColumnType<string | null, string | number | null | undefined, string | number | null>
    paid_fen: ColumnType<string, string | number | undefined, string | number>
    at: ColumnType<string, Date | string, Date | string>
  }
  sales_link_visitor: {
    link_id: ColumnType<string, string | number, string | number>
    day: string
    digest: Buffer
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
    list_fen: ColumnType<string, string | number | undefined, string | number>
    discount_fen: ColumnType<string, string | number | undefined, string | number>
    channel: ColumnType<string, string | undefined, string>
    receiver_name: ColumnType<string | null, string | null | undefined, string | null>
    receiver_phone: ColumnType<string | null, string | null | undefined, string | null>
    receiver_province: ColumnType<string | null, string | null | undefined, string | null>
    receiver_address: ColumnType<string | null, string | null | undefined, string | null>
    owner_changed: ColumnType<boolean, boolean | undefined, boolean>
    closes_at: ColumnType<string | null, Date | string | null | undefined, Date | string | null>
    goods_rejected: ColumnType<boolean, boolean | undefined, boolean>
    off_sale: ColumnType<boolean, boolean | undefined, boolean>
    created_day: GeneratedAlways<string>
    paid_day: GeneratedAlways<string | null>
    sold_org_id: ColumnType<string | null, string | number | null | undefined, string | number | null>
    link_id: ColumnType<string | null, string | number | null | undefined, string | number | null>
    paid_by_product: ColumnType<unknown, unknown | undefined, unknown>
  }
  sales_request: {
    id: GeneratedAlways<string>
    kind: 'TAKE_OVER' | 'EXTRA_QUOTA' | 'DISCOUNT' | 'GIFT'
    status: ColumnType<'SUBMITTED' | 'L1_APPROVED' | 'APPROVED' | 'REJECTED' | 'WITHDRAWN' | 'EXPIRED', 'SUBMITTED' | 'L1_APPROVED' | 'APPROVED' | 'REJECTED' | 'WITHDRAWN' | 'EXPIRED' | undefined, 'SUBMITTED' | 'L1_APPROVED' | 'APPROVED' | 'REJECTED' | 'WITHDRAWN' | 'EXPIRED'>
    reason: string
    needs_l2: boolean
    applicant_id: ColumnType<string, string | number, string | number>
    l1_by: ColumnType<string | null, string | number | null | undefined, string | number | null>
    l2_by: ColumnType<string | null, string | number | null | undefined, string | number | null>
    created_at: ColumnType<string, Date | string, Date | string>
    state_since: ColumnType<string | null, Date | string | null | undefined, Date | string | null>
    expires_at: ColumnType<string | null, Date | string | null | undefined, Date | string | null>
    ended_at: ColumnType<string | null, Date | string | null | undefined, Date | string | null>
    version: ColumnType<number, number | undefined, number>
    request_no: string
    owner_id: ColumnType<string, string | number, string | number>
    org_id: ColumnType<string, string | number, string | number>
    lead_phone: ColumnType<string | null, string | null | undefined, string | null>
    lead_id: ColumnType<string | null, string | number | null | undefined, string | number | null>
    from_id: ColumnType<string | null, string | number | null | undefined, string | number | null>
    pool_id: ColumnType<string | null, string | number | null | undefined, string | number | null>
    quota_day: ColumnType<string | null, string | null | undefined, string | null>
    extra_claims: ColumnType<number | null, number | null | undefined, number | null>
    product_id: ColumnType<string | null, string | number | null | undefined, string | number | null>
    list_fen: ColumnType<string | null, string | number | null | undefined, string | number | null>
    price_fen: ColumnType<string | null, string | number | null | undefined, string | number | null>
    usable_until: ColumnType<string | null, string | null | undefined, string | null>
    gift_to_id: ColumnType<string | null, string | number | null | undefined, string | number | null>
    gift_kind: ColumnType<'DAYS' | 'COINS' | 'COUPON' | null, 'DAYS' | 'COINS' | 'COUPON' | null | undefined, 'DAYS' | 'COINS' | 'COUPON' | null>
    quantity: ColumnType<number | null, number | null | undefined, number | null>
    coupon_id: ColumnType<string | null, string | number | null | undefined, string | number | null>
  }
  saved_view: {
    id: GeneratedAlways<string>
    page: string
    name: string
    query: string
    is_shared: ColumnType<boolean, boolean | undefined, boolean>
    staff_id: ColumnType<string, string | number, string | number>
    created_at: ColumnType<string, Date | string, Date | string>
  }
  schedule_job: {
    id: GeneratedAlways<string>
    handler: string
    name: string
    cron: string
    declared_cron: string
    misfire: 'SKIP' | 'RUN_ONCE'
    parameters: ColumnType<unknown, unknown | undefined, unknown>
    status: ColumnType<'ENABLED' | 'DISABLED' | 'RETIRED', 'ENABLED' | 'DISABLED' | 'RETIRED' | undefined, 'ENABLED' | 'DISABLED' | 'RETIRED'>
    was_off: ColumnType<boolean, boolean | undefined, boolean>
    next_due_at: ColumnType<string | null, Date | string | null | undefined, Date | string | null>
    running_since: ColumnType<string | null, Date | string | null | undefined, Date | string | null>
    run_done: ColumnType<number | null, number | null | undefined, number | null>
    run_total: ColumnType<number | null, number | null | undefined, number | null>
    last_status: ColumnType<'SUCCEEDED' | 'FAILED' | 'STOPPED' | 'LOST' | null, 'SUCCEEDED' | 'FAILED' | 'STOPPED' | 'LOST' | null | undefined, 'SUCCEEDED' | 'FAILED' | 'STOPPED' | 'LOST' | null>
    last_ended_at: ColumnType<string | null, Date | string | null | undefined, Date | string | null>
    version: ColumnType<number, number | undefined, number>
  }
  schedule_run: {
    id: GeneratedAlways<string>
    job_id: ColumnType<string, string | number, string | number>
    cause: 'SCHEDULE' | 'MAKE_UP' | 'BY_HAND' | 'CLOCK'
    status: 'WAITING' | 'RUNNING' | 'SUCCEEDED' | 'FAILED' | 'STOPPED' | 'LOST' | 'SKIPPED'
    due_at: ColumnType<string | null, Date | string | null | undefined, Date | string | null>
    asked_at: ColumnType<string, Date | string, Date | string>
    asked_by: ColumnType<string | null, string | number | null | undefined, string | number | null>
    started_at: ColumnType<string | null, Date | string | null | undefined, Date | string | null>
    ended_at: ColumnType<string | null, Date | string | null | undefined, Date | string | null>
    duration_ms: ColumnType<number | null, number | null | undefined, number | null>
    parameters: unknown
    done: ColumnType<number | null, number | null | undefined, number | null>
    total: ColumnType<number | null, number | null | undefined, number | null>
    missed: ColumnType<number, number | undefined, number>
    missed_from: ColumnType<string | null, Date | string | null | undefined, Date | string | null>
    reason: ColumnType<'BUSY' | 'AWAY' | 'CLOCK_BACK' | 'INSTANCE_DIED' | 'INSTANCE_STOPPED' | 'STOP_ASKED' | null, 'BUSY' | 'AWAY' | 'CLOCK_BACK' | 'INSTANCE_DIED' | 'INSTANCE_STOPPED' | 'STOP_ASKED' | null | undefined, 'BUSY' | 'AWAY' | 'CLOCK_BACK' | 'INSTANCE_DIED' | 'INSTANCE_STOPPED' | 'STOP_ASKED' | null>
    error: ColumnType<string | null, string | null | undefined, string | null>
    instance: ColumnType<string | null, string | null | undefined, string | null>
    heartbeat_at: ColumnType<string | null, Date | string | null | undefined, Date | string | null>
    stop_asked_at: ColumnType<string | null, Date | string | null | undefined, Date | string | null>
    stop_by: ColumnType<string | null, string | number | null | undefined, string | number | null>
  }
  school_teacher: {
    id: GeneratedAlways<string>
    name: string
    phone: ColumnType<string | null, string | null | undefined, string | null>
    school: string
    grade: ColumnType<string | null, string | null | undefined, string | null>
    class_name: ColumnType<string | null, string | null | undefined, string | null>
    has_left: ColumnType<boolean, boolean | undefined, boolean>
    status: ColumnType<'ACTIVE' | 'STOPPED', 'ACTIVE' | 'STOPPED' | undefined, 'ACTIVE' | 'STOPPED'>
    stopped_at: ColumnType<string | null, Date | string | null | undefined, Date | string | null>
    owner_id: ColumnType<string, string | number, string | number>
    org_id: ColumnType<string, string | number, string | number>
    channel: ColumnType<string | null, string | null | undefined, string | null>
    link: ColumnType<string | null, string | null | undefined, string | null>
    leads: ColumnType<number, number | undefined, number>
    members: ColumnType<number, number | undefined, number>
    orders: ColumnType<number, number | undefined, number>
    paid_fen: ColumnType<string, string | number | undefined, string | number>
    counted_at: ColumnType<string | null, Date | string | null | undefined, Date | string | null>
    rewarded_fen: ColumnType<string, string | number | undefined, string | number>
    note: ColumnType<string, string | undefined, string>
    created_at: ColumnType<string, Date | string, Date | string>
    version: ColumnType<number, number | undefined, number>
  }
  school_teacher_reward: {
    id: GeneratedAlways<string>
    teacher_id: ColumnType<string, string | number, string | number>
    reward_kind: 'GIFT' | 'COURSE' | 'CASH'
    value_fen: ColumnType<string, string | number, string | number>
    what: string
    given_on: string
    by_id: ColumnType<string, string | number, string | number>
    was_serving: boolean
    created_at: ColumnType<string, Date | string, Date | string>
  }
  sealed_codes: {
    batch_id: ColumnType<string, string | number, string | number>
    part: number
    sealed: Buffer
  }
  second_factor: {
    staff_id: ColumnType<string, string | number, string | number>
    secret: Buffer
    since: ColumnType<string, Date | string, Date | string>
    last_step: ColumnType<string, string | number, string | number>
    codes_void_at: ColumnType<string | null, Date | string | null | undefined, Date | string | null>
  }
  second_factor_begun: {
    staff_id: ColumnType<string, string | number, string | number>
    secret: Buffer
    expires_at: ColumnType<string, Date | string, Date | string>
    session_id: ColumnType<string, string | number, string | number>
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
    preview_role_id: ColumnType<string | null, string | number | null | undefined, string | number | null>
    preview_until: ColumnType<string | null, Date | string | null | undefined, Date | string | null>
    must_enrol: ColumnType<boolean, boolean | undefined, boolean>
  }
  setting_change: {
    id: GeneratedAlways<string>
    key: string
    name: string
    before: number
    value: number
    unit: 'days' | 'percent' | 'fen' | 'coins' | 'coupons' | 'hour' | 'switch'
    status: 'PROPOSED' | 'IN_FORCE' | 'REPLACED' | 'REFUSED' | 'WITHDRAWN'
    reason: string
    applicant_id: ColumnType<string | null, string | number | null | undefined, string | number | null>
    decided_by: ColumnType<string | null, string | number | null | undefined, string | number | null>
    based_on: ColumnType<string | null, string | number | null | undefined, string | number | null>
    created_at: ColumnType<string, Date | string, Date | string>
    in_force_at: ColumnType<string | null, Date | string | null | undefined, Date | string | null>
    version: ColumnType<number, number | undefined, number>
  }
  settlement_event: {
    id: GeneratedAlways<string>
    partner_id: ColumnType<string, string | number, string | number>
    kind: 'REGISTERED' | 'ACTIVATED' | 'FIRST_ORDER' | 'SHARE'
    subject_id: ColumnType<string, string | number, string | number>
    member_id: ColumnType<string, string | number, string | number>
    order_id: ColumnType<string | null, string | number | null | undefined, string | number | null>
    happened_at: ColumnType<string, Date | string, Date | string>
    base_fen: ColumnType<string, string | number, string | number>
    refunded_fen: ColumnType<string, string | number | undefined, string | number>
    price_id: ColumnType<string | null, string | number | null | undefined, string | number | null>
    verdict: 'COUNTED' | 'FROZEN' | 'REFUNDED' | 'OVER_CAP' | 'TOO_LATE' | 'NO_PRICE' | 'DUPLICATE' | 'OLD_MEMBER' | 'OWN_STAFF'
    worth_fen: ColumnType<string, string | number | undefined, string | number>
    judged_at: ColumnType<string, Date | string, Date | string>
  }
  settlement_line: {
    id: GeneratedAlways<string>
    partner_id: ColumnType<string, string | number, string | number>
    statement_id: ColumnType<string | null, string | number | null | undefined, string | number | null>
    event_id: ColumnType<string | null, string | number | null | undefined, string | number | null>
    entry: 'COUNTED' | 'FROZEN' | 'REFUNDED' | 'OVER_CAP' | 'TOO_LATE' | 'NO_PRICE' | 'DUPLICATE' | 'OLD_MEMBER' | 'OWN_STAFF' | 'TAKEN_BACK' | 'DEDUCTION' | 'CORRECTION' | 'CARRIED'
    part: GeneratedAlways<'COUNTED' | 'NOT_COUNTED' | 'ADJUSTED'>
    kind: ColumnType<'REGISTERED' | 'ACTIVATED' | 'FIRST_ORDER' | 'SHARE' | null, 'REGISTERED' | 'ACTIVATED' | 'FIRST_ORDER' | 'SHARE' | null | undefined, 'REGISTERED' | 'ACTIVATED' | 'FIRST_ORDER' | 'SHARE' | null>
    member_id: ColumnType<string | null, string | number | null | undefined, string | number | null>
    order_id: ColumnType<string | null, string | number | null | undefined, string | number | null>
    happened_at: ColumnType<string, Date | string, Date | string>
    base_fen: ColumnType<string | null, string | number | null | undefined, string | number | null>
    price_id: ColumnType<string | null, string | number | null | undefined, string | number | null>
    amount_fen: ColumnType<string, string | number, string | number>
    about_id: ColumnType<string | null, string | number | null | undefined, string | number | null>
    note: ColumnType<string, string | undefined, string>
    by_id: ColumnType<string | null, string | number | null | undefined, string | number | null>
    created_at: ColumnType<string, Date | string, Date | string>
    distribution_id: ColumnType<string | null, string | number | null | undefined, string | number | null>
  }
  settlement_price: {
    id: GeneratedAlways<string>
    partner_id: ColumnType<string, string | number, string | number>
    kind: 'REGISTERED' | 'ACTIVATED' | 'FIRST_ORDER' | 'SHARE'
    price_fen: ColumnType<string | null, string | number | null | undefined, string | number | null>
    share_permille: ColumnType<number | null, number | null | undefined, number | null>
    window_days: ColumnType<number | null, number | null | undefined, number | null>
    freeze_days: number
    monthly_cap: ColumnType<number | null, number | null | undefined, number | null>
    deduction_permille: ColumnType<number, number | undefined, number>
    valid_from: string
    valid_to: ColumnType<string | null, string | null | undefined, string | null>
    reason: string
    status: ColumnType<'SUBMITTED' | 'APPROVED' | 'REJECTED' | 'WITHDRAWN' | 'EXPIRED', 'SUBMITTED' | 'APPROVED' | 'REJECTED' | 'WITHDRAWN' | 'EXPIRED' | undefined, 'SUBMITTED' | 'APPROVED' | 'REJECTED' | 'WITHDRAWN' | 'EXPIRED'>
    applicant_id: ColumnType<string, string | number, string | number>
    l1_by: ColumnType<string | null, string | number | null | undefined, string | number | null>
    expires_at: ColumnType<string | null, Date | string | null | undefined, Date | string | null>
    ended_at: ColumnType<string | null, Date | string | null | undefined, Date | string | null>
    created_at: ColumnType<string, Date | string | undefined, Date | string>
    version: ColumnType<number, number | undefined, number>
  }
  settlement_statement: {
    id: GeneratedAlways<string>
    statement_no: string
    partner_id: ColumnType<string, string | number, string | number>
    period_from: string
    period_to: string
    status: ColumnType<'DRAFT' | 'CHANNEL_CONFIRMED' | 'APPROVED' | 'PAID', 'DRAFT' | 'CHANNEL_CONFIRMED' | 'APPROVED' | 'PAID' | undefined, 'DRAFT' | 'CHANNEL_CONFIRMED' | 'APPROVED' | 'PAID'>
    counted: ColumnType<number, number | undefined, number>
    not_counted: ColumnType<number, number | undefined, number>
    adjusted_fen: ColumnType<string, string | number | undefined, string | number>
    total_fen: ColumnType<string, string | number | undefined, string | number>
    reckoned_at: ColumnType<string, Date | string, Date | string>
    digest: ColumnType<string | null, string | null | undefined, string | null>
    confirmed_name: ColumnType<string | null, string | null | undefined, string | null>
    confirmed_by: ColumnType<string | null, string | number | null | undefined, string | number | null>
    confirmed_at: ColumnType<string | null, Date | string | null | undefined, Date | string | null>
    approved_by: ColumnType<string | null, string | number | null | undefined, string | number | null>
    approved_at: ColumnType<string | null, Date | string | null | undefined, Date | string | null>
    paid_by: ColumnType<string | null, string | number | null | undefined, string | number | null>
    paid_at: ColumnType<string | null, Date | string | null | undefined, Date | string | null>
    transfer_no: ColumnType<string | null, string | null | undefined, string | null>
    created_at: ColumnType<string, Date | string, Date | string>
    state_since: ColumnType<string | null, Date | string | null | undefined, Date | string | null>
    version: ColumnType<number, number | undefined, number>
    confirmed_via: ColumnType<'RECORDED' | 'LINK' | 'NOTHING_DUE' | null, 'RECORDED' | 'LINK' | 'NOTHING_DUE' | null | undefined, 'RECORDED' | 'LINK' | 'NOTHING_DUE' | null>
    link_state: ColumnType<'NONE' | 'SENDING' | 'SENT' | 'FAILED' | 'ASKED' | 'USED', 'NONE' | 'SENDING' | 'SENT' | 'FAILED' | 'ASKED' | 'USED' | undefined, 'NONE' | 'SENDING' | 'SENT' | 'FAILED' | 'ASKED' | 'USED'>
    link_by: ColumnType<string | null, string | number | null | undefined, string | number | null>
    link_sent_at: ColumnType<string | null, Date | string | null | undefined, Date | string | null>
    link_until: ColumnType<string | null, Date | string | null | undefined, Date | string | null>
    contact_by: ColumnType<string | null, string | number | null | undefined, string | number | null>
  }
  shipment: {
    id: GeneratedAlways<string>
    shipment_no: string
    source: 'ORDER' | 'GIFT' | 'RESEND' | 'COIN_ORDER' | 'REDEMPTION'
    order_id: ColumnType<string | null, string | number | null | undefined, string | number | null>
    coin_order_id: ColumnType<string | null, string | number | null | undefined, string | number | null>
    resend_of: ColumnType<string | null, string | number | null | undefined, string | number | null>
    member_id: ColumnType<string, string | number, string | number>
    receiver_name: ColumnType<string | null, string | null | undefined, string | null>
    receiver_phone: ColumnType<string | null, string | null | undefined, string | null>
    province: ColumnType<string | null, string | null | undefined, string | null>
    receiver_address: ColumnType<string | null, string | null | undefined, string | null>
    goods_name: string
    parts: unknown
    waits_for_stock: ColumnType<boolean, boolean | undefined, boolean>
    status: ColumnType<'TO_APPROVE' | 'REJECTED' | 'WAITING' | 'HELD' | 'SENT' | 'SIGNED' | 'RETURNED' | 'LOST' | 'MERGED' | 'CANCELLED', 'TO_APPROVE' | 'REJECTED' | 'WAITING' | 'HELD' | 'SENT' | 'SIGNED' | 'RETURNED' | 'LOST' | 'MERGED' | 'CANCELLED' | undefined, 'TO_APPROVE' | 'REJECTED' | 'WAITING' | 'HELD' | 'SENT' | 'SIGNED' | 'RETURNED' | 'LOST' | 'MERGED' | 'CANCELLED'>
    is_repeat: ColumnType<boolean, boolean | undefined, boolean>
    applicant_id: ColumnType<string | null, string | number | null | undefined, string | number | null>
    decided_by: ColumnType<string | null, string | number | null | undefined, string | number | null>
    note: ColumnType<string, string | undefined, string>
    printed_at: ColumnType<string | null, Date | string | null | undefined, Date | string | null>
    reprint: ColumnType<boolean, boolean | undefined, boolean>
    merged_into: ColumnType<string | null, string | number | null | undefined, string | number | null>
    carrier: ColumnType<string | null, string | null | undefined, string | null>
    tracking_no: ColumnType<string | null, string | null | undefined, string | null>
    tracking_status: ColumnType<'PENDING' | 'SHIPPED' | 'PICKED' | 'TRANSIT' | 'DELIVERING' | 'STATION' | 'SIGNED' | 'PROBLEM' | 'RETURNING' | 'RETURNED' | 'REJECTED' | 'CANCELLED', 'PENDING' | 'SHIPPED' | 'PICKED' | 'TRANSIT' | 'DELIVERING' | 'STATION' | 'SIGNED' | 'PROBLEM' | 'RETURNING' | 'RETURNED' | 'REJECTED' | 'CANCELLED' | undefined, 'PENDING' | 'SHIPPED' | 'PICKED' | 'TRANSIT' | 'DELIVERING' | 'STATION' | 'SIGNED' | 'PROBLEM' | 'RETURNING' | 'RETURNED' | 'REJECTED' | 'CANCELLED'>
    last_event: ColumnType<string, string | undefined, string>
    last_event_at: ColumnType<string | null, Date | string | null | undefined, Date | string | null>
    asked_at: ColumnType<string | null, Date | string | null | undefined, Date | string | null>
    sent_at: ColumnType<string | null, Date | string | null | undefined, Date | string | null>
    signed_at: ColumnType<string | null, Date | string | null | undefined, Date | string | null>
    owner_id: ColumnType<string | null, string | number | null | undefined, string | number | null>
    org_id: ColumnType<string | null, string | number | null | undefined, string | number | null>
    created_at: ColumnType<string, Date | string | undefined, Date | string>
    version: ColumnType<number, number | undefined, number>
    state_since: ColumnType<string | null, Date | string | null | undefined, Date | string | null>
  }
  shipment_line: {
    id: GeneratedAlways<string>
    shipment_id: ColumnType<string, string | number, string | number>
    base_product_id: ColumnType<string, string | number, string | number>
    order_id: ColumnType<string | null, string | number | null | undefined, string | number | null>
    order_line_id: ColumnType<string | null, string | number | null | undefined, string | number | null>
    coin_order_id: ColumnType<string | null, string | number | null | undefined, string | number | null>
    quantity: number
    locked: ColumnType<number, number | undefined, number>
    returned: ColumnType<number, number | undefined, number>
    value_fen: ColumnType<string | null, string | number | null | undefined, string | number | null>
    kit_edition_id: ColumnType<string | null, string | number | null | undefined, string | number | null>
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
    name_initials: ColumnType<string | null, string | null | undefined, string | null>
    staff_no: GeneratedAlways<string>
    role_ids: ColumnType<unknown, unknown | undefined, unknown>
    role_names: ColumnType<string[], string[] | undefined, string[]>
    open_sessions: ColumnType<number, number | undefined, number>
    last_login_at: ColumnType<string | null, Date | string | null | undefined, Date | string | null>
    locked_until: ColumnType<string | null, Date | string | null | undefined, Date | string | null>
    account_state: GeneratedAlways<'ENABLED' | 'LOCKED' | 'DISABLED'>
    position_id: ColumnType<string | null, string | number | null | undefined, string | number | null>
    left_on: ColumnType<string | null, string | null | undefined, string | null>
    owner_id: GeneratedAlways<string>
    birthday: ColumnType<string | null, string | null | undefined, string | null>
    employment: ColumnType<'ACTIVE' | 'LEFT', 'ACTIVE' | 'LEFT' | undefined, 'ACTIVE' | 'LEFT'>
    has_factor: ColumnType<boolean, boolean | undefined, boolean>
  }
  staff_department: {
    id: GeneratedAlways<string>
    staff_id: ColumnType<string, string | number, string | number>
    org_id: ColumnType<string, string | number, string | number>
    since: string
    until: ColumnType<string | null, string | null | undefined, string | null>
  }
  staff_handover: {
    id: GeneratedAlways<string>
    staff_id: ColumnType<string, string | number, string | number>
    to_id: ColumnType<string, string | number, string | number>
    by_id: ColumnType<string | null, string | number | null | undefined, string | number | null>
    at: ColumnType<string, Date | string, Date | string>
    is_leave: boolean
    moved: ColumnType<unknown, unknown | undefined, unknown>
  }
  staff_position: {
    id: GeneratedAlways<string>
    staff_id: ColumnType<string, string | number, string | number>
    position_id: ColumnType<string, string | number, string | number>
    is_primary: boolean
    since: string
    until: ColumnType<string | null, string | null | undefined, string | null>
  }
  staff_role: {
    staff_id: ColumnType<string, string | number, string | number>
    role_id: ColumnType<string, string | number, string | number>
  }
  statement_link: {
    id: GeneratedAlways<string>
    statement_id: ColumnType<string, string | number, string | number>
    sent_at: ColumnType<string, Date | string, Date | string>
    expires_at: ColumnType<string, Date | string, Date | string>
    ended_at: ColumnType<string | null, Date | string | null | undefined, Date | string | null>
    codes: ColumnType<number, number | undefined, number>
    tries: ColumnType<number, number | undefined, number>
    code_digest: ColumnType<Buffer | null, Buffer | null | undefined, Buffer | null>
    code_for: ColumnType<string | null, string | null | undefined, string | null>
    code_at: ColumnType<string | null, Date | string | null | undefined, Date | string | null>
    used_at: ColumnType<string | null, Date | string | null | undefined, Date | string | null>
  }
  stock_check: {
    id: GeneratedAlways<string>
    base_product_id: ColumnType<string, string | number, string | number>
    counted: number
    note: ColumnType<string, string | undefined, string>
    status: ColumnType<'WAITING' | 'APPROVED' | 'REJECTED' | 'WITHDRAWN' | 'EXPIRED', 'WAITING' | 'APPROVED' | 'REJECTED' | 'WITHDRAWN' | 'EXPIRED' | undefined, 'WAITING' | 'APPROVED' | 'REJECTED' | 'WITHDRAWN' | 'EXPIRED'>
    book: number
    applicant_id: ColumnType<string, string | number, string | number>
    decided_by: ColumnType<string | null, string | number | null | undefined, string | number | null>
    created_at: ColumnType<string, Date | string, Date | string>
    decided_at: ColumnType<string | null, Date | string | null | undefined, Date | string | null>
    expires_at: ColumnType<string | null, Date | string | null | undefined, Date | string | null>
  }
  stock_movement: {
    id: GeneratedAlways<string>
    base_product_id: ColumnType<string, string | number, string | number>
    cause: 'IN' | 'OUT' | 'SENT' | 'RETURNED' | 'CHECK'
    quantity: number
    balance_after: number
    note: ColumnType<string, string | undefined, string>
    shipment_id: ColumnType<string | null, string | number | null | undefined, string | number | null>
    staff_id: ColumnType<string | null, string | number | null | undefined, string | number | null>
    created_at: ColumnType<string, Date | string, Date | string>
  }
  task: {
    id: GeneratedAlways<string>
    kind: 'EXPORT' | 'IMPORT' | 'STEPS' | 'PACK'
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
    failed_rows: ColumnType<number, number | undefined, number>
    failures: ColumnType<number, number | undefined, number>
  }
  task_row: {
    task_id: ColumnType<string, string | number, string | number>
    no: number
    record_id: ColumnType<string, string | number, string | number>
    name: string
    version: ColumnType<number | null, number | null | undefined, number | null>
    state: ColumnType<'WAITING' | 'DONE' | 'REFUSED', 'WAITING' | 'DONE' | 'REFUSED' | undefined, 'WAITING' | 'DONE' | 'REFUSED'>
    refusal: ColumnType<unknown | null, unknown | null | undefined, unknown | null>
    ended_at: ColumnType<string | null, Date | string | null | undefined, Date | string | null>
  }
  tracking_event: {
    id: GeneratedAlways<string>
    shipment_id: ColumnType<string, string | number, string | number>
    at: ColumnType<string, Date | string, Date | string>
    status: string
    content: string
  }
  upgrade_due: {
    name: string
  }
  upload: {
    id: ColumnType<string, string | undefined, string>
    owner_id: ColumnType<string, string | number, string | number>
    purpose: string
    name: string
    bytes: number
    file_id: ColumnType<string | null, string | null | undefined, string | null>
    created_at: ColumnType<string, Date | string, Date | string>
  }
  upload_failure: {
    id: GeneratedAlways<string>
    member_id: ColumnType<string, string | number, string | number>
    opus_id: string
    task: string
    error: string
    said: string
    client_version: ColumnType<string, string | undefined, string>
    network: ColumnType<'WIFI' | 'CELLULAR' | 'OFFLINE' | 'UNKNOWN', 'WIFI' | 'CELLULAR' | 'OFFLINE' | 'UNKNOWN' | undefined, 'WIFI' | 'CELLULAR' | 'OFFLINE' | 'UNKNOWN'>
    bytes: ColumnType<number | null, number | null | undefined, number | null>
    times: ColumnType<number, number | undefined, number>
    retries: ColumnType<number, number | undefined, number>
    last_at: ColumnType<string, Date | string, Date | string>
    status: ColumnType<'NEW' | 'RETRYING' | 'CONTACTED' | 'SOLVED' | 'IGNORED', 'NEW' | 'RETRYING' | 'CONTACTED' | 'SOLVED' | 'IGNORED' | undefined, 'NEW' | 'RETRYING' | 'CONTACTED' | 'SOLVED' | 'IGNORED'>
    owner_id: ColumnType<string | null, string | number | null | undefined, string | number | null>
    org_id: ColumnType<string | null, string | number | null | undefined, string | number | null>
    teacher_id: ColumnType<string | null, string | number | null | undefined, string | number | null>
    created_at: ColumnType<string, Date | string, Date | string>
    version: ColumnType<number, number | undefined, number>
  }
  upload_part: {
    upload_id: string
    at: number
    bytes: number
    stored_id: string
  }
  work: {
    id: GeneratedAlways<string>
    no: string
    opus_id: string
    member_id: ColumnType<string, string | number, string | number>
    kind: 'HOMEWORK' | 'PRACTICE' | 'POSTURE' | 'GRIP' | 'COPYBOOK'
    lesson: string
    attempt: ColumnType<number, number | undefined, number>
    before_id: ColumnType<string | null, string | number | null | undefined, string | number | null>
    characters: ColumnType<string | null, string | null | undefined, string | null>
    character_count: ColumnType<number, number | undefined, number>
    picture: ColumnType<string[], string[] | undefined, string[]>
    status: ColumnType<'SUBMITTED' | 'LEASED' | 'COMMENTED' | 'RELEASED' | 'RETURNED' | 'HIDDEN', 'SUBMITTED' | 'LEASED' | 'COMMENTED' | 'RELEASED' | 'RETURNED' | 'HIDDEN' | undefined, 'SUBMITTED' | 'LEASED' | 'COMMENTED' | 'RELEASED' | 'RETURNED' | 'HIDDEN'>
    holder_id: ColumnType<string | null, string | number | null | undefined, string | number | null>
    leased_until: ColumnType<string | null, Date | string | null | undefined, Date | string | null>
    assignee_id: ColumnType<string | null, string | number | null | undefined, string | number | null>
    score: ColumnType<number | null, number | null | undefined, number | null>
    commenter_id: ColumnType<string | null, string | number | null | undefined, string | number | null>
    commented_at: ColumnType<string | null, Date | string | null | undefined, Date | string | null>
    returned_for: ColumnType<string | null, string | null | undefined, string | null>
    review: ColumnType<'NONE' | 'DUE' | 'PASSED' | 'OVERTURNED', 'NONE' | 'DUE' | 'PASSED' | 'OVERTURNED' | undefined, 'NONE' | 'DUE' | 'PASSED' | 'OVERTURNED'>
    is_excellent: ColumnType<boolean, boolean | undefined, boolean>
    reward_coins: ColumnType<number, number | undefined, number>
    submitted_at: ColumnType<string, Date | string, Date | string>
    owner_id: ColumnType<string | null, string | number | null | undefined, string | number | null>
    org_id: ColumnType<string | null, string | number | null | undefined, string | number | null>
    teacher_id: ColumnType<string | null, string | number | null | undefined, string | number | null>
    version: ColumnType<number, number | undefined, number>
    medium: ColumnType<'PICTURE' | 'VIDEO', 'PICTURE' | 'VIDEO' | undefined, 'PICTURE' | 'VIDEO'>
    video: ColumnType<string[], string[] | undefined, string[]>
    duration_seconds: ColumnType<number | null, number | null | undefined, number | null>
    part_state: GeneratedAlways<string>
    owner_then: ColumnType<string | null, string | number | null | undefined, string | number | null>
    submitted_day: GeneratedAlways<string | null>
  }
  work_comment: {
    id: GeneratedAlways<string>
    work_id: ColumnType<string, string | number, string | number>
    staff_id: ColumnType<string, string | number, string | number>
    at: ColumnType<string, Date | string, Date | string>
    status: 'HELD' | 'RELEASED' | 'TAKEN_BACK' | 'OVERTURNED'
    marks: unknown
    scores: unknown
    score: number
    words: string
    voice: ColumnType<string[], string[] | undefined, string[]>
    suggested: ColumnType<number | null, number | null | undefined, number | null>
    phrases: ColumnType<string[], string[] | undefined, string[]>
  }
  work_suggestion: {
    work_id: ColumnType<string, string | number, string | number>
    read_at: ColumnType<string, Date | string, Date | string>
    pages: unknown
    scores: ColumnType<unknown | null, unknown | null | undefined, unknown | null>
    score: ColumnType<number | null, number | null | undefined, number | null>
  }
}

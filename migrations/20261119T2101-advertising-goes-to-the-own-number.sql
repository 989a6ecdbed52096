-- Advertising to a number that is not the member's own by now is withheld, and says so.
alter table message drop constraint message_cause_check;
alter table message add constraint message_cause_check check (cause in
  ('QUIET_HOURS', 'NO_CONSENT', 'OPTED_OUT', 'OTHER_NUMBER', 'LATELY', 'NO_ADDRESS', 'NO_ANSWER', 'NOT_REACHED', 'TOO_LATE',
   'BAD_ADDRESS', 'BLOCKED', 'LIMITED', 'SWITCHED_OFF', 'TEMPLATE', 'ACCOUNT', 'REJECTED'));
alter table campaign_number drop constraint campaign_number_cause_check;
alter table campaign_number add constraint campaign_number_cause_check check (cause in
  ('QUIET_HOURS', 'NO_CONSENT', 'OPTED_OUT', 'OTHER_NUMBER', 'LATELY', 'NO_ADDRESS', 'NO_ANSWER', 'NOT_REACHED', 'TOO_LATE',
   'BAD_ADDRESS', 'BLOCKED', 'LIMITED', 'SWITCHED_OFF', 'TEMPLATE', 'ACCOUNT', 'REJECTED', 'LIST_NOT_AGREED'));

-- Paused behind its last number a campaign waited for nothing any more.
update campaign set status = 'DONE', ended_at = now(), version = version + 1 where status in ('SENDING', 'PAUSED') and to_send + under_way = 0;

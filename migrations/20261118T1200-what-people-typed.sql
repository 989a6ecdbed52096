-- What people typed was read when its event was applied, and is no part of what stays of it.
update inbox_event set payload = payload - 'text'
  where type in ('official-account.messaged', 'sms.replied') and outcome in ('APPLIED', 'REFUSED') and payload ? 'text';

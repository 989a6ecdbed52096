-- Money of platforms goes back there, and what was entered by hand is an order's: neither goes back by itself, so no day is told.
update payment_exception x set cause = 'RECORDED', version = x.version + 1
from payment p
where p.id = x.payment_id and p.provider <> 'OFFLINE' and x.status <> 'DONE' and x.cause <> 'RECORDED'
  and exists (select from order_examination e where e.bank_number = p.bank_number and e.status <> 'REJECTED');
update payment_exception set returns_at = null where kind = 'STRAY' and (provider = 'PLATFORM' or cause = 'RECORDED');

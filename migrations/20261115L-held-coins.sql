-- A refund that leaves a lot of coins below zero may be paid while another one holds coins of it.
alter table entitlement_lot drop constraint entitlement_lot_check2;
alter table entitlement_lot add constraint entitlement_lot_frozen
  check (frozen <= case when kind = 'COINS' then quantity else remaining end);

-- What was agreed to in advance may be called off before its first day: then nothing is ever paid by it.
alter table settlement_price drop constraint settlement_price_check;

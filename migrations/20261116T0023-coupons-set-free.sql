-- A closed order sets its coupon free. Money that comes for it later pays the price with the coupon, so which one it was must
-- be known even after another order has had it.
alter table member_coupon add freed_from bigint[] not null default '{}';

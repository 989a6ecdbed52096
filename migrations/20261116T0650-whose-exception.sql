-- Whom stray money is about, so that whoever decides sees a person and not a number only: known as soon as an order is.
alter table payment_exception add column member_id bigint references member (id);
create function payment_exception_member() returns trigger language plpgsql as $$
begin
  new.member_id := (select member_id from sales_order where id = coalesce(new.proposed_order_id, new.order_id));
  return new;
end $$;
create trigger payment_exception_member before insert or update of order_id, proposed_order_id on payment_exception
  for each row execute function payment_exception_member();
update payment_exception set order_id = order_id;

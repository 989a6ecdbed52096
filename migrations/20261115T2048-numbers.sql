-- Numbers people read keep their width past 99999 a day: the running number goes on with a letter in front.
alter table refund_application drop constraint refund_application_refund_no_check,
  add constraint refund_application_refund_no_check check (refund_no ~ '^R[0-9]{8}[0-9A-Z]{5}$');
alter table coin_order drop constraint coin_order_order_no_check,
  add constraint coin_order_order_no_check check (order_no ~ '^C[0-9]{8}[0-9A-Z]{5}$');
alter table redemption drop constraint redemption_redemption_no_check,
  add constraint redemption_redemption_no_check check (redemption_no ~ '^E[0-9]{8}[0-9A-Z]{5}$');
alter table shipment drop constraint shipment_shipment_no_check,
  add constraint shipment_shipment_no_check check (shipment_no ~ '^S[0-9]{8}[0-9A-Z]{5}$');
alter table code_batch drop constraint code_batch_batch_no_check,
  add constraint code_batch_batch_no_check check (batch_no ~ '^B[0-9]{8}[0-9A-Z]{3}$');

-- The running number that was written so (src/engines/sequence).
create function running_number(written text) returns bigint language sql immutable strict parallel safe as $$
  select case when written ~ '^[0-9]+$' then written::bigint else (
    select (10::numeric ^ length(written) - 10 * 32::numeric ^ (length(written) - 1)
      + sum((position(c in '0123456789ABCDEFGHJKMNPQRSTVWXYZ') - 1) * 32::numeric ^ (length(written) - place)))::bigint
    from regexp_split_to_table(written, '') with ordinality as one (c, place)
  ) end
$$;

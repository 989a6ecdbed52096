-- A refund paid by hand is looked for by the number of its payment, as its bank or the member reads it.
create index refund_application_payout on refund_application (transaction_no text_pattern_ops, id);

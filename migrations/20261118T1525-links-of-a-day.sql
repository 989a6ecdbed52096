-- How many links a statement was sent by on a day.
create index statement_link_sent on statement_link (statement_id, sent_at);

-- Numbers by department, the one a person belonged to then: what was sold carries it already, and so do the spans of leads, under
-- another name. A list that is filtered by it (and by all below it) finds its rows by index.
create index sales_order_sold_org on sales_order (sold_org_id, id);
create index refund_application_sold_org on refund_application (sold_org_id, id);
alter table lead_owner
  add column sold_org_id bigint not null generated always as (org_id) stored references org (id);
create index lead_owner_sold_org on lead_owner (sold_org_id, id);

-- What somebody who came was interested in, as far as what they came by names a product of ours (decision 088).
alter table lead_touch add product_id bigint references product (id);
create index lead_touch_product on lead_touch (product_id) where product_id is not null;
alter table lead add product_id bigint references product (id);
create index lead_product on lead (product_id, id);
update lead_touch t set product_id = k.product_id from sales_link k where t.came_by = 'LINK' and t.about = k.code;
update lead l set product_id = k.product_id from sales_link k where k.id = l.link_id;

-- Which rule took it is seen from what the lead named when it came to wait.
alter table allocation_case add product_id bigint references product (id);
create index allocation_case_product on allocation_case (product_id) where product_id is not null;
alter table allocation_decision add product_id bigint references product (id);
create index allocation_decision_product on allocation_decision (product_id) where product_id is not null;
-- Rules that stand take whatever product a lead names.
update allocation_edition set rules = jsonb_set(rules, '{rules}', coalesce((
  select jsonb_agg(r || '{"products": []}' order by n) from jsonb_array_elements(rules -> 'rules') with ordinality as e (r, n)), '[]'));

-- Chains about leads that arrive are about leads now, whichever way they came, and no longer about sign-ups that were begun.
update rule_run r set record_id = g.lead_id, record_no = g.lead_id::text
from registration g where r.event = 'leadArrived' and g.id = r.record_id;

-- Of two sign-ups of one lead nothing is done twice.
insert into rule_deed (event, record_id, node, bound, created_at)
select 'lead-arrived-moved', g.lead_id, d.node, d.bound, min(d.created_at)
from rule_deed d join registration g on g.id = d.record_id where d.event = 'leadArrived' group by 2, 3, 4;
delete from rule_deed where event = 'leadArrived';
update rule_deed set event = 'leadArrived' where event = 'lead-arrived-moved';

-- What a chain has still to decide about, or to have done, is about the lead.
update outbox o set payload = jsonb_set(o.payload, '{recordId}', to_jsonb(g.lead_id::text)), key = o.key || ':began'
from registration g
where o.kind in ('rule-run', 'rule-deed') and o.status <> 'DONE' and o.payload->>'event' = 'leadArrived' and g.id::text = o.payload->>'recordId';

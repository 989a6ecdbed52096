-- Before finance was asked about more than the suggestion, managers gave it alone: that stands as it was decided, and says so.
update refund_application r
set l2_reasons = l2_reasons || jsonb_build_array(jsonb_build_object('why', 'EARLIER', 'value', beyond.fen))
from (
  select a.id, sum(greatest(0, (c ->> 'amountFen')::bigint - (c ->> 'suggestedFen')::bigint)) as fen
  from refund_application a, jsonb_array_elements(a.calculation) c
  group by a.id
) beyond
where beyond.id = r.id and beyond.fen > 0 and not r.l2_reasons @> '[{"why":"BEYOND"}]'
  and r.created_at < (select applied_at from migration where name = '20261115T2040-refund-rules.sql');

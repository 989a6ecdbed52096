-- Whoever pays a refund decides with the provider in sight that will give the money back: known when it is asked for.
alter table refund_application add provider text check (provider in ('WECHAT', 'ALIPAY'));
update refund_application r
  set provider = (
    select p.provider from payment p
    where p.order_id = r.order_id and p.status = 'RECEIVED' and p.provider in ('WECHAT', 'ALIPAY')
    order by p.id limit 1
  )
  where r.route = 'ORIGINAL';

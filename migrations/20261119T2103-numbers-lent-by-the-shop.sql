-- What the shop in Channels answers of a number is one that only forwards: it was taken for the buyer's own. And a notice of a
-- refund names nobody by such a number.
update platform_order set facts = jsonb_set(facts, '{platformPhone,value,isVirtual}', 'true'),
  phone_kind = case phone_kind when 'DECRYPTED' then 'VIRTUAL' else phone_kind end
where platform = 'WECHAT_SHOP' and synced_at is not null and facts #>> '{platformPhone,value,isVirtual}' = 'false';
update refund_notice n set lead_phone = null from platform_order p
where p.order_no = n.order_no and p.phone_kind = 'VIRTUAL' and n.lead_phone = p.lead_phone
  and n.source = case p.platform when 'DOUYIN' then 'douyin' when 'WECHAT_SHOP' then 'wechat-shop' else 'xiaohongshu' end;

-- The newest holders of a coupon, and the newest lots of a member, whatever their state or kind (docs/decisions/044).
create index member_coupon_of_coupon on member_coupon (coupon_id, id);
create index entitlement_lot_of_member on entitlement_lot (member_id, id);

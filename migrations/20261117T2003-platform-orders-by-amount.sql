-- Orders of one platform are sorted by amount without reading those of the others.
create index platform_order_platform_amount on platform_order (platform, amount_fen, id);

-- Nearly every parcel there ever was is signed for, and none of the newest is: by the primary key the planner expects the
-- first page at once and reads past all that are still under way. Serves logistics/tracking.
create index shipment_signed on shipment (id) where tracking_status = 'SIGNED';

-- Parcels that have not left are few and new among all that ever were: their days are looked for among themselves, not
-- past every parcel that left. Serves the lists of logistics/shipment-approval and logistics/shipment.
create index shipment_open_created on shipment (created_at, id) where status in ('TO_APPROVE', 'WAITING', 'HELD', 'REJECTED', 'CANCELLED');

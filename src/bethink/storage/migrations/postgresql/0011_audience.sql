-- Whose memory an erased scope was, as a digest, so that its user can be told of the erasure.
alter table tombstones add column audience text collate "C" not null default '';

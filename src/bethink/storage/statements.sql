-- name: find_copy -> CopyRow
-- Find how far a copy into this store has come.
select source, place, copied, started_at, finished_at from copies where tenant_id = :tenant;

-- name: begin_copy
-- Note that a copy into this store has begun; one that was begun before answers no row.
insert into copies (tenant_id, source, place, copied, started_at)
values (:tenant, :source, :place, 0, :now)
on conflict (tenant_id) do nothing
returning source;

-- name: move_copy
-- Note how far a copy has come, if nobody else moved it on.
update copies set place = :after, copied = copied + :added
where tenant_id = :tenant and place = :before
returning copied;

-- name: finish_copy
-- Note that a copy was found to be whole.
update copies set place = '', finished_at = :now where tenant_id = :tenant returning copied;

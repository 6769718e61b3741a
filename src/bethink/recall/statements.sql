-- name: list_blocks -> BlockRow
-- Read the packed passages of a scope, in the order in which they were made.
select block_id, embedder, revision, payload from passage_blocks
where tenant_id = :tenant and scope_id = :scope
order by revision, block_id;

-- name: newest_block -> NewestBlockRow
-- Find up to which revision passages are packed, and in how many blocks.
select coalesce(max(revision), 0) as revision, count(*) as blocks from passage_blocks where tenant_id = :tenant and scope_id = :scope;

-- name: count_blocks -> BlockCountRow
-- Count the blocks of a scope, and the passages in them.
select count(*) as blocks, coalesce(sum(passages), 0) as passages from passage_blocks where tenant_id = :tenant and scope_id = :scope;

-- name: add_block
-- Keep a block of passages.
insert into passage_blocks (tenant_id, scope_id, block_id, embedder, revision, passages, payload)
values (:tenant, :scope, :block, :embedder, :revision, :passages, :payload);

-- name: put_block
-- Keep a block without some of its passages.
update passage_blocks set payload = :payload, passages = :passages
where tenant_id = :tenant and scope_id = :scope and block_id = :block;

-- name: remove_block
-- Remove a block.
delete from passage_blocks where tenant_id = :tenant and scope_id = :scope and block_id = :block;

-- name: remove_blocks
-- Remove every block of a scope; they are made again from notes and items when they are needed.
delete from passage_blocks where tenant_id = :tenant and scope_id = :scope;

-- name: other_embedder
-- Find a block whose vectors another embedder made.
select block_id from passage_blocks
where tenant_id = :tenant and scope_id = :scope and embedder <> :embedder
order by block_id limit 1;

-- name: put_document
-- Keep a document, or what takes its place; when it was made stays.
insert into documents (tenant_id, scope_id, path, key, value, content, media_type, created_at, updated_at, expires_at,
                       ttl, revision)
values (:tenant, :scope, :path, :key, :value, :content, :media_type, :now, :now, :expires_at, :ttl, :revision)
on conflict (tenant_id, scope_id, path, key)
do update set value = excluded.value, content = excluded.content, media_type = excluded.media_type,
              updated_at = excluded.updated_at, expires_at = excluded.expires_at, ttl = excluded.ttl,
              revision = excluded.revision;

-- name: bring_document
-- Keep a document as another store has it.
insert into documents (tenant_id, scope_id, path, key, value, content, media_type, created_at, updated_at, expires_at,
                       ttl, revision)
values (:tenant, :scope, :path, :key, :value, :content, :media_type, :created_at, :updated_at, :expires_at, :ttl,
        :revision)
on conflict (tenant_id, scope_id, path, key) do nothing;

-- name: find_document -> DocumentRow
-- Read one document.
select path, key, value, content, media_type, created_at, updated_at, expires_at, ttl, revision from documents
where tenant_id = :tenant and scope_id = :scope and path = :path and key = :key
  and (expires_at is null or expires_at > :now);

-- name: list_documents -> DocumentRow
-- Read documents below a path, those written last first, behind a place of that order.
select path, key, value, content, media_type, created_at, updated_at, expires_at, ttl, revision from documents
where tenant_id = :tenant and scope_id = :scope and path >= :path and path < :behind
  and (expires_at is null or expires_at > :now)
  and (revision < :revision or (revision = :revision and (path, key) > (:last_path, :last_key)))
order by revision desc, path, key limit :limit;

-- name: all_documents -> DocumentRow
-- Read every document of a scope.
select path, key, value, content, media_type, created_at, updated_at, expires_at, ttl, revision from documents
where tenant_id = :tenant and scope_id = :scope order by path, key;

-- name: documents_within -> DocumentRow
-- Read the documents of one path, the last key first, from before a key on.
select path, key, value, content, media_type, created_at, updated_at, expires_at, ttl, revision from documents
where tenant_id = :tenant and scope_id = :scope and path = :path and key < :before
  and (expires_at is null or expires_at > :now)
order by key desc limit :limit;

-- name: keys_within
-- List the keys of one path, the last one first, from before a key on.
select key from documents
where tenant_id = :tenant and scope_id = :scope and path = :path and key < :before
  and (expires_at is null or expires_at > :now)
order by key desc limit :limit;

-- name: measure_below -> SizeRow
-- column: documents int
-- column: bytes int
-- Count the documents below a path, and the bytes of their values.
select count(*) as documents,
       cast(coalesce(sum(coalesce(octet_length(value), 0) + coalesce(octet_length(content), 0)), 0) as bigint) as bytes
from documents
where tenant_id = :tenant and scope_id = :scope and path >= :path and path < :behind
  and (expires_at is null or expires_at > :now);

-- name: list_names -> NameRow
-- List the names of documents below a path.
select path, key from documents
where tenant_id = :tenant and scope_id = :scope and path >= :path and path < :behind
order by path, key;

-- name: list_paths -> PathRow
-- List the paths below one that hold documents, with how many.
select path, count(*) as documents from documents
where tenant_id = :tenant and scope_id = :scope and path >= :path and path < :behind
  and (expires_at is null or expires_at > :now)
group by path order by path;

-- name: remove_document
-- Remove a document.
delete from documents
where tenant_id = :tenant and scope_id = :scope and path = :path and key = :key
returning 1;

-- name: remove_below
-- Remove the documents below a path.
delete from documents
where tenant_id = :tenant and scope_id = :scope and path >= :path and path < :behind
returning 1;

-- name: expired_documents -> NameRow
-- List documents whose time is over.
select path, key from documents
where tenant_id = :tenant and scope_id = :scope and expires_at <= :now
order by expires_at limit 100;

-- name: refresh_document
-- Let a document that was read last as long as when it was written.
update documents set expires_at = :now + ttl
where tenant_id = :tenant and scope_id = :scope and path = :path and key = :key and ttl is not null;

-- name: refresh_below
-- Let the documents below a path last as long as when they were written.
update documents set expires_at = :now + ttl
where tenant_id = :tenant and scope_id = :scope and path >= :path and path < :behind and ttl is not null
  and expires_at > :now;

-- name: remove_ended_document
-- Remove a document whose time is over, so that another one may take its place.
delete from documents
where tenant_id = :tenant and scope_id = :scope and path = :path and key = :key and expires_at <= :now;

-- name: put_absent_document
-- Keep a document, unless there is one of its name.
insert into documents (tenant_id, scope_id, path, key, value, content, media_type, created_at, updated_at, expires_at,
                       ttl, revision)
values (:tenant, :scope, :path, :key, :value, :content, :media_type, :now, :now, :expires_at, :ttl, :revision)
on conflict (tenant_id, scope_id, path, key) do nothing;

-- name: add_passage (many)
-- Keep the text of a field, by which a document is found.
insert into document_passages (tenant_id, scope_id, path, key, chunk, place, text, embedder, vector)
values (:tenant, :scope, :path, :key, :chunk, :place, :text, :embedder, :vector);

-- name: list_passages -> PassageRow
-- Read the passages of the documents below a path.
select path, key, place, text, embedder, vector from document_passages
where tenant_id = :tenant and scope_id = :scope and path >= :path and path < :behind
order by path, key, chunk;

-- name: remove_passages
-- Remove the passages of a document.
delete from document_passages
where tenant_id = :tenant and scope_id = :scope and path = :path and key = :key;

-- name: remove_passages_below
-- Remove the passages of the documents below a path.
delete from document_passages
where tenant_id = :tenant and scope_id = :scope and path >= :path and path < :behind;

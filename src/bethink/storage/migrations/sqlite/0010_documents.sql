-- Items by the caller's ids, what they were before, branches, and a room for documents.

-- The caller's own ids of items: what has one is appended once. They outlive the items, so that a late repeat adds nothing.
create table item_keys (
  tenant_id text not null,
  scope_id bigint not null,
  session_id bigint not null,
  key text not null,
  seq bigint not null,
  primary key (tenant_id, scope_id, session_id, key)
) without rowid;
-- What an item was before it was replaced.
create table item_versions (
  tenant_id text not null,
  scope_id bigint not null,
  session_id bigint not null,
  seq bigint not null,
  revision bigint not null,
  body text not null,
  at bigint,
  speaker text,
  origin text not null,
  replaced_at bigint not null,
  primary key (tenant_id, scope_id, session_id, seq, revision)
);
-- Where a session was forked from, and for how long its items are kept (microseconds).
create table session_details (
  tenant_id text not null,
  scope_id bigint not null,
  session_id bigint not null,
  parent_id bigint,
  forked_seq bigint,
  ttl bigint,
  primary key (tenant_id, scope_id, session_id)
) without rowid;
-- JSON values, or bytes, under a path and a key: overwritten in place, exactly as they were given.
create table documents (
  tenant_id text not null,
  scope_id bigint not null,
  path text not null,
  key text not null,
  value text,
  content bytea,
  media_type text,
  created_at bigint not null,
  updated_at bigint not null,
  expires_at bigint,
  ttl bigint,
  revision bigint not null,
  primary key (tenant_id, scope_id, path, key)
);
-- Derived: the texts of chosen fields of documents, with their vectors; masked as they were indexed.
create table document_passages (
  tenant_id text not null,
  scope_id bigint not null,
  path text not null,
  key text not null,
  chunk bigint not null,
  place text not null,
  text text not null,
  embedder text not null,
  vector bytea,
  primary key (tenant_id, scope_id, path, key, chunk)
);
create index documents_by_update on documents (tenant_id, scope_id, updated_at);
create index documents_by_end on documents (tenant_id, scope_id, expires_at);

-- Passages are derived. Those of scopes that hold messages of shapes which were not read before are made again.
delete from passage_blocks where exists (
  select 1 from items
  where items.tenant_id = passage_blocks.tenant_id and items.scope_id = passage_blocks.scope_id
    and (items.body like '%"parts":%' or items.body like '%"contents":%' or items.body like '%"blocks":%'
      or items.body like '%"message":{%' or items.body like '%"payload":{%' or items.body like '%"data":{%'
      or items.body like '%"kwargs":{%' or items.body like '%"_content":%' or items.body like '%"content":{%'
      or items.body like '%"toolUse":%' or items.body like '%"task":%' or items.body like '%"step_number":%'));

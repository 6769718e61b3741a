-- The first schema. Every table of a tenant has `tenant_id` first in its key; times are microseconds since 1970 (UTC).

-- Where something lives. `revision` counts the writes of the scope: it orders them, and tells caches what is new.
create table scopes (
  tenant_id text not null,
  scope_id bigint not null,
  kind text not null,
  owner text not null,
  name text not null,
  user_id text not null,
  session text not null,
  revision bigint not null,
  created_at bigint not null,
  updated_at bigint not null,
  primary key (tenant_id, scope_id)
) without rowid;
create unique index scopes_by_name on scopes (tenant_id, kind, owner, name, user_id, session);

-- Pools and teams are registered before they are used; grants say who else may do what with them.
create table shares (
  tenant_id text not null,
  kind text not null,
  name text not null,
  owner text not null,
  created_at bigint not null,
  primary key (tenant_id, kind, name)
) without rowid;
create table grants (
  tenant_id text not null,
  kind text not null,
  name text not null,
  grantee text not null,
  rights text not null,
  created_at bigint not null,
  primary key (tenant_id, kind, name, grantee)
) without rowid;

-- The log. `head` is the newest place ever given out in a session and never goes back.
create table sessions (
  tenant_id text not null,
  scope_id bigint not null,
  session_id bigint not null,
  name text not null,
  title text,
  head bigint not null,
  count bigint not null,
  revision bigint not null,
  distilled bigint not null,
  metadata text not null,
  created_at bigint not null,
  updated_at bigint not null,
  primary key (tenant_id, scope_id, session_id)
) without rowid;
create unique index sessions_by_name on sessions (tenant_id, scope_id, name);
create index sessions_by_revision on sessions (tenant_id, scope_id, revision);
create table items (
  tenant_id text not null,
  scope_id bigint not null,
  session_id bigint not null,
  seq bigint not null,
  body text not null,
  at bigint,
  speaker text,
  origin text not null,
  revision bigint not null,
  primary key (tenant_id, scope_id, session_id, seq)
);
create table operations (
  tenant_id text not null,
  scope_id bigint not null,
  session_id bigint not null,
  operation text not null,
  digest text not null,
  revision bigint not null,
  head bigint not null,
  count bigint not null,
  primary key (tenant_id, scope_id, session_id, operation)
) without rowid;
create table attempts (
  tenant_id text not null,
  scope_id bigint not null,
  session_id bigint not null,
  attempt_id bigint not null,
  at bigint not null,
  error text not null,
  calls text not null,
  primary key (tenant_id, scope_id, session_id, attempt_id)
) without rowid;

-- What is remembered, and every earlier wording of it.
create table notes (
  tenant_id text not null,
  scope_id bigint not null,
  note_id bigint not null,
  key text,
  text text not null,
  category text not null,
  keywords text not null,
  session text,
  status text not null,
  outcome text,
  source text not null,
  sources text not null,
  confidence double precision,
  created_at bigint not null,
  updated_at bigint not null,
  valid_from bigint,
  valid_to bigint,
  expires_at bigint,
  revision bigint not null,
  metadata text not null,
  primary key (tenant_id, scope_id, note_id)
);
create unique index notes_by_key on notes (tenant_id, scope_id, key)
  where key is not null and status in ('active', 'quarantined');
create index notes_by_revision on notes (tenant_id, scope_id, revision);
create table note_history (
  tenant_id text not null,
  scope_id bigint not null,
  note_id bigint not null,
  revision bigint not null,
  ended_at bigint not null,
  ended_by text not null,
  note text not null,
  primary key (tenant_id, scope_id, note_id, revision)
);

-- What is known of a user as fields: each version whole, with where every field came from.
create table profiles (
  tenant_id text not null,
  scope_id bigint not null,
  version bigint not null,
  fields text not null,
  provenance text not null,
  at bigint not null,
  revision bigint not null,
  primary key (tenant_id, scope_id, version)
);
create table records (
  tenant_id text not null,
  scope_id bigint not null,
  record_id bigint not null,
  kind text not null,
  value text not null,
  at bigint not null,
  revision bigint not null,
  primary key (tenant_id, scope_id, record_id)
);

-- What happened, without content.
create table events (
  tenant_id text not null,
  scope_id bigint not null,
  revision bigint not null,
  kind text not null,
  subject text not null,
  actor text not null,
  at bigint not null,
  primary key (tenant_id, scope_id, revision)
) without rowid;
create table tombstones (
  tenant_id text not null,
  kind text not null,
  digest text not null,
  revision bigint not null,
  at bigint not null,
  primary key (tenant_id, kind, digest)
) without rowid;

-- Derived: passages with their terms and vectors, packed. They can be made again from notes and items.
create table passage_blocks (
  tenant_id text not null,
  scope_id bigint not null,
  block_id bigint not null,
  embedder text not null,
  revision bigint not null,
  passages bigint not null,
  payload bytea not null,
  primary key (tenant_id, scope_id, block_id)
);

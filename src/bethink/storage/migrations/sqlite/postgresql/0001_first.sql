-- The first schema. Every table of a tenant has `tenant_id` first in its key; times are microseconds since 1970 (UTC).
-- Text is compared by its bytes, as SQLite does, so that lists have one order on both stores.
-- The role that runs this owns the tables; the role of the application is granted rows alone (see docs/scale.md).

-- Where something lives. `revision` counts the writes of the scope: it orders them, and tells caches what is new.
create table scopes (
  tenant_id text collate "C" not null,
  scope_id bigint not null,
  kind text collate "C" not null,
  owner text collate "C" not null,
  name text collate "C" not null,
  user_id text collate "C" not null,
  session text collate "C" not null,
  revision bigint not null,
  created_at bigint not null,
  updated_at bigint not null,
  primary key (tenant_id, scope_id)
) with (fillfactor = 80);
create unique index scopes_by_name on scopes (tenant_id, kind, owner, name, user_id, session);

-- Pools and teams are registered before they are used; grants say who else may do what with them.
create table shares (
  tenant_id text collate "C" not null,
  kind text collate "C" not null,
  name text collate "C" not null,
  owner text collate "C" not null,
  created_at bigint not null,
  primary key (tenant_id, kind, name)
);
create table grants (
  tenant_id text collate "C" not null,
  kind text collate "C" not null,
  name text collate "C" not null,
  grantee text collate "C" not null,
  rights text collate "C" not null,
  created_at bigint not null,
  primary key (tenant_id, kind, name, grantee)
);

-- The log. `head` is the newest place ever given out in a session and never goes back.
create table sessions (
  tenant_id text collate "C" not null,
  scope_id bigint not null,
  session_id bigint not null,
  name text collate "C" not null,
  title text collate "C",
  head bigint not null,
  count bigint not null,
  revision bigint not null,
  distilled bigint not null,
  metadata text collate "C" not null,
  created_at bigint not null,
  updated_at bigint not null,
  primary key (tenant_id, scope_id, session_id)
);
create unique index sessions_by_name on sessions (tenant_id, scope_id, name);
create index sessions_by_revision on sessions (tenant_id, scope_id, revision);
create table items (
  tenant_id text collate "C" not null,
  scope_id bigint not null,
  session_id bigint not null,
  seq bigint not null,
  body text collate "C" not null,
  at bigint,
  speaker text collate "C",
  origin text collate "C" not null,
  revision bigint not null,
  primary key (tenant_id, scope_id, session_id, seq)
);
create table operations (
  tenant_id text collate "C" not null,
  scope_id bigint not null,
  session_id bigint not null,
  operation text collate "C" not null,
  digest text collate "C" not null,
  revision bigint not null,
  head bigint not null,
  count bigint not null,
  primary key (tenant_id, scope_id, session_id, operation)
);
create table attempts (
  tenant_id text collate "C" not null,
  scope_id bigint not null,
  session_id bigint not null,
  attempt_id bigint not null,
  at bigint not null,
  error text collate "C" not null,
  calls text collate "C" not null,
  primary key (tenant_id, scope_id, session_id, attempt_id)
);

-- What is remembered, and every earlier wording of it.
create table notes (
  tenant_id text collate "C" not null,
  scope_id bigint not null,
  note_id bigint not null,
  key text collate "C",
  text text collate "C" not null,
  category text collate "C" not null,
  keywords text collate "C" not null,
  session text collate "C",
  status text collate "C" not null,
  outcome text collate "C",
  source text collate "C" not null,
  sources text collate "C" not null,
  confidence double precision,
  created_at bigint not null,
  updated_at bigint not null,
  valid_from bigint,
  valid_to bigint,
  expires_at bigint,
  revision bigint not null,
  metadata text collate "C" not null,
  primary key (tenant_id, scope_id, note_id)
);
create unique index notes_by_key on notes (tenant_id, scope_id, key)
  where key is not null and status in ('active', 'quarantined');
create index notes_by_revision on notes (tenant_id, scope_id, revision);
create table note_history (
  tenant_id text collate "C" not null,
  scope_id bigint not null,
  note_id bigint not null,
  revision bigint not null,
  ended_at bigint not null,
  ended_by text collate "C" not null,
  note text collate "C" not null,
  primary key (tenant_id, scope_id, note_id, revision)
);

-- What is known of a user as fields: each version whole, with where every field came from.
create table profiles (
  tenant_id text collate "C" not null,
  scope_id bigint not null,
  version bigint not null,
  fields text collate "C" not null,
  provenance text collate "C" not null,
  at bigint not null,
  revision bigint not null,
  primary key (tenant_id, scope_id, version)
);
create table records (
  tenant_id text collate "C" not null,
  scope_id bigint not null,
  record_id bigint not null,
  kind text collate "C" not null,
  value text collate "C" not null,
  at bigint not null,
  revision bigint not null,
  primary key (tenant_id, scope_id, record_id)
);

-- What happened, without content.
create table events (
  tenant_id text collate "C" not null,
  scope_id bigint not null,
  revision bigint not null,
  kind text collate "C" not null,
  subject text collate "C" not null,
  actor text collate "C" not null,
  at bigint not null,
  primary key (tenant_id, scope_id, revision)
);
create table tombstones (
  tenant_id text collate "C" not null,
  kind text collate "C" not null,
  digest text collate "C" not null,
  revision bigint not null,
  at bigint not null,
  primary key (tenant_id, kind, digest)
);

-- Derived: passages with their terms and vectors, packed. They can be made again from notes and items.
create table passage_blocks (
  tenant_id text collate "C" not null,
  scope_id bigint not null,
  block_id bigint not null,
  embedder text collate "C" not null,
  revision bigint not null,
  passages bigint not null,
  payload bytea not null,
  primary key (tenant_id, scope_id, block_id)
);
alter table passage_blocks alter column payload set storage external;

-- A transaction sees and writes the rows of one tenant: the one that it names first. One that names none sees
-- nothing and writes nothing. FORCE holds for the owner of the tables too.
alter table scopes enable row level security;
alter table scopes force row level security;
create policy of_tenant on scopes
  using (tenant_id = nullif(current_setting('bethink.tenant_id', true), ''))
  with check (tenant_id = nullif(current_setting('bethink.tenant_id', true), ''));
alter table shares enable row level security;
alter table shares force row level security;
create policy of_tenant on shares
  using (tenant_id = nullif(current_setting('bethink.tenant_id', true), ''))
  with check (tenant_id = nullif(current_setting('bethink.tenant_id', true), ''));
alter table grants enable row level security;
alter table grants force row level security;
create policy of_tenant on grants
  using (tenant_id = nullif(current_setting('bethink.tenant_id', true), ''))
  with check (tenant_id = nullif(current_setting('bethink.tenant_id', true), ''));
alter table sessions enable row level security;
alter table sessions force row level security;
create policy of_tenant on sessions
  using (tenant_id = nullif(current_setting('bethink.tenant_id', true), ''))
  with check (tenant_id = nullif(current_setting('bethink.tenant_id', true), ''));
alter table items enable row level security;
alter table items force row level security;
create policy of_tenant on items
  using (tenant_id = nullif(current_setting('bethink.tenant_id', true), ''))
  with check (tenant_id = nullif(current_setting('bethink.tenant_id', true), ''));
alter table operations enable row level security;
alter table operations force row level security;
create policy of_tenant on operations
  using (tenant_id = nullif(current_setting('bethink.tenant_id', true), ''))
  with check (tenant_id = nullif(current_setting('bethink.tenant_id', true), ''));
alter table attempts enable row level security;
alter table attempts force row level security;
create policy of_tenant on attempts
  using (tenant_id = nullif(current_setting('bethink.tenant_id', true), ''))
  with check (tenant_id = nullif(current_setting('bethink.tenant_id', true), ''));
alter table notes enable row level security;
alter table notes force row level security;
create policy of_tenant on notes
  using (tenant_id = nullif(current_setting('bethink.tenant_id', true), ''))
  with check (tenant_id = nullif(current_setting('bethink.tenant_id', true), ''));
alter table note_history enable row level security;
alter table note_history force row level security;
create policy of_tenant on note_history
  using (tenant_id = nullif(current_setting('bethink.tenant_id', true), ''))
  with check (tenant_id = nullif(current_setting('bethink.tenant_id', true), ''));
alter table profiles enable row level security;
alter table profiles force row level security;
create policy of_tenant on profiles
  using (tenant_id = nullif(current_setting('bethink.tenant_id', true), ''))
  with check (tenant_id = nullif(current_setting('bethink.tenant_id', true), ''));
alter table records enable row level security;
alter table records force row level security;
create policy of_tenant on records
  using (tenant_id = nullif(current_setting('bethink.tenant_id', true), ''))
  with check (tenant_id = nullif(current_setting('bethink.tenant_id', true), ''));
alter table events enable row level security;
alter table events force row level security;
create policy of_tenant on events
  using (tenant_id = nullif(current_setting('bethink.tenant_id', true), ''))
  with check (tenant_id = nullif(current_setting('bethink.tenant_id', true), ''));
alter table tombstones enable row level security;
alter table tombstones force row level security;
create policy of_tenant on tombstones
  using (tenant_id = nullif(current_setting('bethink.tenant_id', true), ''))
  with check (tenant_id = nullif(current_setting('bethink.tenant_id', true), ''));
alter table passage_blocks enable row level security;
alter table passage_blocks force row level security;
create policy of_tenant on passage_blocks
  using (tenant_id = nullif(current_setting('bethink.tenant_id', true), ''))
  with check (tenant_id = nullif(current_setting('bethink.tenant_id', true), ''));

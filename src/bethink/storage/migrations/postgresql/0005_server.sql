-- What the server keeps beside memories: the specs of agents, and which requests were answered already.

-- An agent as its owner described it. The spec is JSON.
create table agents (
  tenant_id text collate "C" not null,
  owner text collate "C" not null,
  name text collate "C" not null,
  spec text collate "C" not null,
  revision bigint not null,
  created_at bigint not null,
  updated_at bigint not null,
  primary key (tenant_id, owner, name)
);

-- A request that carried an idempotency key and succeeded. Only digests of the key and of what was asked are kept,
-- with the id of what was made: no content.
create table answered_requests (
  tenant_id text collate "C" not null,
  caller text collate "C" not null,
  key_digest text collate "C" not null,
  request_digest text collate "C" not null,
  status bigint not null,
  subject text collate "C",
  at bigint not null,
  primary key (tenant_id, caller, key_digest)
);

alter table agents enable row level security;
alter table agents force row level security;
create policy of_tenant on agents
  using (tenant_id = nullif(current_setting('bethink.tenant_id', true), ''))
  with check (tenant_id = nullif(current_setting('bethink.tenant_id', true), ''));
alter table answered_requests enable row level security;
alter table answered_requests force row level security;
create policy of_tenant on answered_requests
  using (tenant_id = nullif(current_setting('bethink.tenant_id', true), ''))
  with check (tenant_id = nullif(current_setting('bethink.tenant_id', true), ''));

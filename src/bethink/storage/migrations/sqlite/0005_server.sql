-- What the server keeps beside memories: the specs of agents, and which requests were answered already.

-- An agent as its owner described it. The spec is JSON.
create table agents (
  tenant_id text not null,
  owner text not null,
  name text not null,
  spec text not null,
  revision bigint not null,
  created_at bigint not null,
  updated_at bigint not null,
  primary key (tenant_id, owner, name)
) without rowid;

-- A request that carried an idempotency key and succeeded. Only digests of the key and of what was asked are kept,
-- with the id of what was made: no content.
create table answered_requests (
  tenant_id text not null,
  caller text not null,
  key_digest text not null,
  request_digest text not null,
  status bigint not null,
  subject text,
  at bigint not null,
  primary key (tenant_id, caller, key_digest)
) without rowid;

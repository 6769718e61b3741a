-- Teams of agents that work together.

-- A team as its owner described it: who plans, who works, who puts together. The spec is JSON.
create table team_specs (
  tenant_id text not null,
  owner text not null,
  name text not null,
  spec text not null,
  revision bigint not null,
  created_at bigint not null,
  updated_at bigint not null,
  primary key (tenant_id, owner, name)
) without rowid;

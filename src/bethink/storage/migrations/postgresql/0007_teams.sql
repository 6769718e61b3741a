-- Teams of agents that work together.

-- A team as its owner described it: who plans, who works, who puts together. The spec is JSON.
create table team_specs (
  tenant_id text collate "C" not null,
  owner text collate "C" not null,
  name text collate "C" not null,
  spec text collate "C" not null,
  revision bigint not null,
  created_at bigint not null,
  updated_at bigint not null,
  primary key (tenant_id, owner, name)
);

alter table team_specs enable row level security;
alter table team_specs force row level security;
create policy of_tenant on team_specs
  using (tenant_id = nullif(current_setting('bethink.tenant_id', true), ''))
  with check (tenant_id = nullif(current_setting('bethink.tenant_id', true), ''));

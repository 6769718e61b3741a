-- What the lifecycle keeps: plans that can be undone, leases of work, counts and spend.

-- What consolidation changed, so that it can be undone.
create table plans (
  tenant_id text collate "C" not null,
  scope_id bigint not null,
  plan_id bigint not null,
  state text collate "C" not null,
  engine text collate "C" not null,
  session text collate "C",
  plan text collate "C" not null,
  before text collate "C" not null,
  created_at bigint not null,
  undone_at bigint,
  revision bigint not null,
  primary key (tenant_id, scope_id, plan_id)
);

-- Who is at work on what, and until when nobody else may be.
create table leases (
  tenant_id text collate "C" not null,
  scope_id bigint not null,
  name text collate "C" not null,
  holder text collate "C" not null,
  until bigint not null,
  primary key (tenant_id, scope_id, name)
);

-- Counts a day, and the tokens that models took.
create table counters (
  tenant_id text collate "C" not null,
  scope_id bigint not null,
  day text collate "C" not null,
  name text collate "C" not null,
  value bigint not null,
  primary key (tenant_id, scope_id, day, name)
);
create table spend (
  tenant_id text collate "C" not null,
  scope_id bigint not null,
  day text collate "C" not null,
  operation text collate "C" not null,
  calls bigint not null,
  tokens_in bigint not null,
  tokens_out bigint not null,
  primary key (tenant_id, scope_id, day, operation)
);

alter table plans enable row level security;
alter table plans force row level security;
create policy of_tenant on plans
  using (tenant_id = nullif(current_setting('bethink.tenant_id', true), ''))
  with check (tenant_id = nullif(current_setting('bethink.tenant_id', true), ''));
alter table leases enable row level security;
alter table leases force row level security;
create policy of_tenant on leases
  using (tenant_id = nullif(current_setting('bethink.tenant_id', true), ''))
  with check (tenant_id = nullif(current_setting('bethink.tenant_id', true), ''));
alter table counters enable row level security;
alter table counters force row level security;
create policy of_tenant on counters
  using (tenant_id = nullif(current_setting('bethink.tenant_id', true), ''))
  with check (tenant_id = nullif(current_setting('bethink.tenant_id', true), ''));
alter table spend enable row level security;
alter table spend force row level security;
create policy of_tenant on spend
  using (tenant_id = nullif(current_setting('bethink.tenant_id', true), ''))
  with check (tenant_id = nullif(current_setting('bethink.tenant_id', true), ''));

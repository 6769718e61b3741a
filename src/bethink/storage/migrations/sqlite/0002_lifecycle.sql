-- What the lifecycle keeps: plans that can be undone, leases of work, counts and spend.

-- What consolidation changed, so that it can be undone.
create table plans (
  tenant_id text not null,
  scope_id bigint not null,
  plan_id bigint not null,
  state text not null,
  engine text not null,
  session text,
  plan text not null,
  before text not null,
  created_at bigint not null,
  undone_at bigint,
  revision bigint not null,
  primary key (tenant_id, scope_id, plan_id)
);

-- Who is at work on what, and until when nobody else may be.
create table leases (
  tenant_id text not null,
  scope_id bigint not null,
  name text not null,
  holder text not null,
  until bigint not null,
  primary key (tenant_id, scope_id, name)
) without rowid;

-- Counts a day, and the tokens that models took.
create table counters (
  tenant_id text not null,
  scope_id bigint not null,
  day text not null,
  name text not null,
  value bigint not null,
  primary key (tenant_id, scope_id, day, name)
) without rowid;
create table spend (
  tenant_id text not null,
  scope_id bigint not null,
  day text not null,
  operation text not null,
  calls bigint not null,
  tokens_in bigint not null,
  tokens_out bigint not null,
  primary key (tenant_id, scope_id, day, operation)
) without rowid;

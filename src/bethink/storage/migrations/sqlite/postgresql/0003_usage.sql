-- What is kept beside a log: what its turns cost, and summaries that stand for older parts of it.

-- What the models took for a run: of which entries of the log, and how many tokens.
create table turn_usage (
  tenant_id text collate "C" not null,
  scope_id bigint not null,
  session_id bigint not null,
  usage_id bigint not null,
  first_seq bigint not null,
  last_seq bigint not null,
  at bigint not null,
  requests bigint not null,
  tokens_in bigint not null,
  tokens_out bigint not null,
  tokens_cached bigint not null,
  tokens_reasoning bigint not null,
  primary key (tenant_id, scope_id, session_id, usage_id)
);

-- What stands for a part of a log where it is read compacted; the part itself stays in the log.
create table summaries (
  tenant_id text collate "C" not null,
  scope_id bigint not null,
  session_id bigint not null,
  summary_id bigint not null,
  first_seq bigint not null,
  last_seq bigint not null,
  items text collate "C" not null,
  engine text collate "C" not null,
  at bigint not null,
  revision bigint not null,
  primary key (tenant_id, scope_id, session_id, summary_id)
);

alter table turn_usage enable row level security;
alter table turn_usage force row level security;
create policy of_tenant on turn_usage
  using (tenant_id = nullif(current_setting('bethink.tenant_id', true), ''))
  with check (tenant_id = nullif(current_setting('bethink.tenant_id', true), ''));
alter table summaries enable row level security;
alter table summaries force row level security;
create policy of_tenant on summaries
  using (tenant_id = nullif(current_setting('bethink.tenant_id', true), ''))
  with check (tenant_id = nullif(current_setting('bethink.tenant_id', true), ''));

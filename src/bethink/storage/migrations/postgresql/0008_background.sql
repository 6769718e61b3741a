-- What the server does when nobody waits for it: messages that come in by webhooks, tasks, jobs, and news on their way out.

-- An address at which others leave messages for an agent. It acts for whoever made it; `secrets` are sealed, or digests.
create table webhooks (
  tenant_id text collate "C" not null,
  webhook_id bigint not null,
  agent_owner text collate "C" not null,
  agent text collate "C" not null,
  principal text collate "C" not null,
  principal_groups text collate "C" not null,
  spec text collate "C" not null,
  secrets text collate "C" not null,
  revision bigint not null,
  created_at bigint not null,
  updated_at bigint not null,
  primary key (tenant_id, webhook_id)
);

-- A message that came by a webhook: digests and ids, so that one that comes twice is not answered twice.
create table webhook_messages (
  tenant_id text collate "C" not null,
  scope_id bigint not null,
  webhook_id bigint not null,
  digest text collate "C" not null,
  state text collate "C" not null,
  session text collate "C" not null,
  turn text collate "C",
  until bigint not null,
  at bigint not null,
  primary key (tenant_id, scope_id, webhook_id, digest)
);

-- What an agent does by itself: on a clock, or when something happens. The spec is JSON and holds the prompt.
create table tasks (
  tenant_id text collate "C" not null,
  task_id bigint not null,
  agent_owner text collate "C" not null,
  agent text collate "C" not null,
  name text collate "C" not null,
  principal text collate "C" not null,
  principal_groups text collate "C" not null,
  spec text collate "C" not null,
  revision bigint not null,
  created_at bigint not null,
  updated_at bigint not null,
  primary key (tenant_id, task_id)
);
create unique index tasks_by_name on tasks (tenant_id, agent_owner, agent, name);

-- How the newest run of a task ended; its words only where they were wanted.
create table task_results (
  tenant_id text collate "C" not null,
  scope_id bigint not null,
  task_id bigint not null,
  status text collate "C" not null,
  started_at bigint not null,
  ended_at bigint not null,
  outcome text collate "C" not null,
  text text collate "C",
  primary key (tenant_id, scope_id, task_id)
);

-- Work that is due at an instant. Whoever does it holds it until an instant, and then others may take it over.
create table jobs (
  tenant_id text collate "C" not null,
  name text collate "C" not null,
  due_at bigint not null,
  holder text collate "C",
  until bigint not null,
  attempts bigint not null,
  runs bigint not null,
  started_at bigint,
  ended_at bigint,
  status text collate "C",
  outcome text collate "C" not null,
  primary key (tenant_id, name)
);
create index jobs_by_due on jobs (tenant_id, due_at);

-- Who wants to be told what happened, and where.
create table subscriptions (
  tenant_id text collate "C" not null,
  subscription_id bigint not null,
  principal text collate "C" not null,
  principal_groups text collate "C" not null,
  url text collate "C" not null,
  spec text collate "C" not null,
  secrets text collate "C" not null,
  state text collate "C" not null,
  revision bigint not null,
  created_at bigint not null,
  updated_at bigint not null,
  primary key (tenant_id, subscription_id)
);

-- News on their way to a subscriber or to a task: ids, kinds and times, never content.
create table deliveries (
  tenant_id text collate "C" not null,
  scope_id bigint not null,
  delivery_id bigint not null,
  target text collate "C" not null,
  event text collate "C" not null,
  kind text collate "C" not null,
  note_id bigint,
  subject text collate "C" not null,
  state text collate "C" not null,
  attempts bigint not null,
  due_at bigint not null,
  status bigint,
  error text collate "C",
  at bigint not null,
  created_at bigint not null,
  updated_at bigint not null,
  primary key (tenant_id, scope_id, delivery_id)
);
create unique index deliveries_by_event on deliveries (tenant_id, scope_id, target, event);
create index deliveries_by_due on deliveries (tenant_id, state, due_at);

-- Up to which revision of a scope it was told what happened.
create table event_marks (
  tenant_id text collate "C" not null,
  scope_id bigint not null,
  revision bigint not null,
  primary key (tenant_id, scope_id)
);

alter table webhooks enable row level security;
alter table webhooks force row level security;
create policy of_tenant on webhooks
  using (tenant_id = nullif(current_setting('bethink.tenant_id', true), ''))
  with check (tenant_id = nullif(current_setting('bethink.tenant_id', true), ''));
alter table webhook_messages enable row level security;
alter table webhook_messages force row level security;
create policy of_tenant on webhook_messages
  using (tenant_id = nullif(current_setting('bethink.tenant_id', true), ''))
  with check (tenant_id = nullif(current_setting('bethink.tenant_id', true), ''));
alter table tasks enable row level security;
alter table tasks force row level security;
create policy of_tenant on tasks
  using (tenant_id = nullif(current_setting('bethink.tenant_id', true), ''))
  with check (tenant_id = nullif(current_setting('bethink.tenant_id', true), ''));
alter table task_results enable row level security;
alter table task_results force row level security;
create policy of_tenant on task_results
  using (tenant_id = nullif(current_setting('bethink.tenant_id', true), ''))
  with check (tenant_id = nullif(current_setting('bethink.tenant_id', true), ''));
alter table jobs enable row level security;
alter table jobs force row level security;
create policy of_tenant on jobs
  using (tenant_id = nullif(current_setting('bethink.tenant_id', true), ''))
  with check (tenant_id = nullif(current_setting('bethink.tenant_id', true), ''));
alter table subscriptions enable row level security;
alter table subscriptions force row level security;
create policy of_tenant on subscriptions
  using (tenant_id = nullif(current_setting('bethink.tenant_id', true), ''))
  with check (tenant_id = nullif(current_setting('bethink.tenant_id', true), ''));
alter table deliveries enable row level security;
alter table deliveries force row level security;
create policy of_tenant on deliveries
  using (tenant_id = nullif(current_setting('bethink.tenant_id', true), ''))
  with check (tenant_id = nullif(current_setting('bethink.tenant_id', true), ''));
alter table event_marks enable row level security;
alter table event_marks force row level security;
create policy of_tenant on event_marks
  using (tenant_id = nullif(current_setting('bethink.tenant_id', true), ''))
  with check (tenant_id = nullif(current_setting('bethink.tenant_id', true), ''));

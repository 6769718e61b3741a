-- What the server does when nobody waits for it: messages that come in by webhooks, tasks, jobs, and news on their way out.

-- An address at which others leave messages for an agent. It acts for whoever made it; `secrets` are sealed, or digests.
create table webhooks (
  tenant_id text not null,
  webhook_id bigint not null,
  agent_owner text not null,
  agent text not null,
  principal text not null,
  principal_groups text not null,
  spec text not null,
  secrets text not null,
  revision bigint not null,
  created_at bigint not null,
  updated_at bigint not null,
  primary key (tenant_id, webhook_id)
) without rowid;

-- A message that came by a webhook: digests and ids, so that one that comes twice is not answered twice.
create table webhook_messages (
  tenant_id text not null,
  scope_id bigint not null,
  webhook_id bigint not null,
  digest text not null,
  state text not null,
  session text not null,
  turn text,
  until bigint not null,
  at bigint not null,
  primary key (tenant_id, scope_id, webhook_id, digest)
) without rowid;

-- What an agent does by itself: on a clock, or when something happens. The spec is JSON and holds the prompt.
create table tasks (
  tenant_id text not null,
  task_id bigint not null,
  agent_owner text not null,
  agent text not null,
  name text not null,
  principal text not null,
  principal_groups text not null,
  spec text not null,
  revision bigint not null,
  created_at bigint not null,
  updated_at bigint not null,
  primary key (tenant_id, task_id)
) without rowid;
create unique index tasks_by_name on tasks (tenant_id, agent_owner, agent, name);

-- How the newest run of a task ended; its words only where they were wanted.
create table task_results (
  tenant_id text not null,
  scope_id bigint not null,
  task_id bigint not null,
  status text not null,
  started_at bigint not null,
  ended_at bigint not null,
  outcome text not null,
  text text,
  primary key (tenant_id, scope_id, task_id)
) without rowid;

-- Work that is due at an instant. Whoever does it holds it until an instant, and then others may take it over.
create table jobs (
  tenant_id text not null,
  name text not null,
  due_at bigint not null,
  holder text,
  until bigint not null,
  attempts bigint not null,
  runs bigint not null,
  started_at bigint,
  ended_at bigint,
  status text,
  outcome text not null,
  primary key (tenant_id, name)
) without rowid;
create index jobs_by_due on jobs (tenant_id, due_at);

-- Who wants to be told what happened, and where.
create table subscriptions (
  tenant_id text not null,
  subscription_id bigint not null,
  principal text not null,
  principal_groups text not null,
  url text not null,
  spec text not null,
  secrets text not null,
  state text not null,
  revision bigint not null,
  created_at bigint not null,
  updated_at bigint not null,
  primary key (tenant_id, subscription_id)
) without rowid;

-- News on their way to a subscriber or to a task: ids, kinds and times, never content.
create table deliveries (
  tenant_id text not null,
  scope_id bigint not null,
  delivery_id bigint not null,
  target text not null,
  event text not null,
  kind text not null,
  note_id bigint,
  subject text not null,
  state text not null,
  attempts bigint not null,
  due_at bigint not null,
  status bigint,
  error text,
  at bigint not null,
  created_at bigint not null,
  updated_at bigint not null,
  primary key (tenant_id, scope_id, delivery_id)
) without rowid;
create unique index deliveries_by_event on deliveries (tenant_id, scope_id, target, event);
create index deliveries_by_due on deliveries (tenant_id, state, due_at);

-- Up to which revision of a scope it was told what happened.
create table event_marks (
  tenant_id text not null,
  scope_id bigint not null,
  revision bigint not null,
  primary key (tenant_id, scope_id)
) without rowid;

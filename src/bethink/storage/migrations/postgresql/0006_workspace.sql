-- What a workspace keeps: conversations, what was made of them, and the files that show it.

-- What the runs of a workspace said and did, run by run.
create table workspace_segments (
  tenant_id text collate "C" not null,
  scope_id bigint not null,
  workspace text collate "C" not null,
  rollout text collate "C" not null,
  seq bigint not null,
  run text collate "C" not null,
  line text collate "C" not null,
  digest text collate "C" not null,
  at bigint not null,
  revision bigint not null,
  primary key (tenant_id, scope_id, workspace, rollout, seq)
);

-- The conversations of a workspace, and what phase one made of them.
create table workspace_rollouts (
  tenant_id text collate "C" not null,
  scope_id bigint not null,
  workspace text collate "C" not null,
  rollout text collate "C" not null,
  segments bigint not null,
  extracted bigint not null,
  tries bigint not null,
  updated_at text collate "C" not null,
  terminal_state text collate "C" not null,
  origin text collate "C" not null,
  slug text collate "C",
  summary text collate "C",
  raw text collate "C",
  engine text collate "C" not null,
  archived bigint not null,
  revision bigint not null,
  primary key (tenant_id, scope_id, workspace, rollout)
);

-- What was written into the files of a workspace last, so that they can be lost; a file that other rows make has no content here.
create table workspace_files (
  tenant_id text collate "C" not null,
  scope_id bigint not null,
  workspace text collate "C" not null,
  path text collate "C" not null,
  content text collate "C",
  at bigint not null,
  revision bigint not null,
  primary key (tenant_id, scope_id, workspace, path)
);

-- Where the files of a workspace lie.
create table workspace_places (
  tenant_id text collate "C" not null,
  scope_id bigint not null,
  workspace text collate "C" not null,
  directory text collate "C" not null,
  at bigint not null,
  primary key (tenant_id, scope_id, workspace, directory)
);

alter table workspace_segments enable row level security;
alter table workspace_segments force row level security;
create policy of_tenant on workspace_segments
  using (tenant_id = nullif(current_setting('bethink.tenant_id', true), ''))
  with check (tenant_id = nullif(current_setting('bethink.tenant_id', true), ''));
alter table workspace_rollouts enable row level security;
alter table workspace_rollouts force row level security;
create policy of_tenant on workspace_rollouts
  using (tenant_id = nullif(current_setting('bethink.tenant_id', true), ''))
  with check (tenant_id = nullif(current_setting('bethink.tenant_id', true), ''));
alter table workspace_files enable row level security;
alter table workspace_files force row level security;
create policy of_tenant on workspace_files
  using (tenant_id = nullif(current_setting('bethink.tenant_id', true), ''))
  with check (tenant_id = nullif(current_setting('bethink.tenant_id', true), ''));
alter table workspace_places enable row level security;
alter table workspace_places force row level security;
create policy of_tenant on workspace_places
  using (tenant_id = nullif(current_setting('bethink.tenant_id', true), ''))
  with check (tenant_id = nullif(current_setting('bethink.tenant_id', true), ''));

-- What a workspace keeps: conversations, what was made of them, and the files that show it.

-- What the runs of a workspace said and did, run by run.
create table workspace_segments (
  tenant_id text not null,
  scope_id bigint not null,
  workspace text not null,
  rollout text not null,
  seq bigint not null,
  run text not null,
  line text not null,
  digest text not null,
  at bigint not null,
  revision bigint not null,
  primary key (tenant_id, scope_id, workspace, rollout, seq)
);

-- The conversations of a workspace, and what phase one made of them.
create table workspace_rollouts (
  tenant_id text not null,
  scope_id bigint not null,
  workspace text not null,
  rollout text not null,
  segments bigint not null,
  extracted bigint not null,
  tries bigint not null,
  updated_at text not null,
  terminal_state text not null,
  origin text not null,
  slug text,
  summary text,
  raw text,
  engine text not null,
  archived bigint not null,
  revision bigint not null,
  primary key (tenant_id, scope_id, workspace, rollout)
);

-- What was written into the files of a workspace last, so that they can be lost; a file that other rows make has no content here.
create table workspace_files (
  tenant_id text not null,
  scope_id bigint not null,
  workspace text not null,
  path text not null,
  content text,
  at bigint not null,
  revision bigint not null,
  primary key (tenant_id, scope_id, workspace, path)
);

-- Where the files of a workspace lie.
create table workspace_places (
  tenant_id text not null,
  scope_id bigint not null,
  workspace text not null,
  directory text not null,
  at bigint not null,
  primary key (tenant_id, scope_id, workspace, directory)
) without rowid;

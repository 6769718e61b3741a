-- What is kept beside a log: what its turns cost, and summaries that stand for older parts of it.

-- What the models took for a run: of which entries of the log, and how many tokens.
create table turn_usage (
  tenant_id text not null,
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
) without rowid;

-- What stands for a part of a log where it is read compacted; the part itself stays in the log.
create table summaries (
  tenant_id text not null,
  scope_id bigint not null,
  session_id bigint not null,
  summary_id bigint not null,
  first_seq bigint not null,
  last_seq bigint not null,
  items text not null,
  engine text not null,
  at bigint not null,
  revision bigint not null,
  primary key (tenant_id, scope_id, session_id, summary_id)
);

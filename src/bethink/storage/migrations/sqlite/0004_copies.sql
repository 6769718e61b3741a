-- How far a store was copied into this one.

-- `place` moves on in the transaction that brings the rows, so that a copy that was killed is taken up where it was.
create table copies (
  tenant_id text not null,
  source text not null,
  place text not null,
  copied bigint not null,
  started_at bigint not null,
  finished_at bigint,
  primary key (tenant_id)
) without rowid;

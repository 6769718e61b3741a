-- How far a store was copied into this one.

-- `place` moves on in the transaction that brings the rows, so that a copy that was killed is taken up where it was.
create table copies (
  tenant_id text collate "C" not null,
  source text collate "C" not null,
  place text collate "C" not null,
  copied bigint not null,
  started_at bigint not null,
  finished_at bigint,
  primary key (tenant_id)
);

alter table copies enable row level security;
alter table copies force row level security;
create policy of_tenant on copies
  using (tenant_id = nullif(current_setting('bethink.tenant_id', true), ''))
  with check (tenant_id = nullif(current_setting('bethink.tenant_id', true), ''));
